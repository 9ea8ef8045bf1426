// From the parser's tree to statements. What is not understood becomes opaque text, which blocks the rules
// around it.
#pragma once

#include <optional>
#include <string>

#include "base/clang_ast.hpp"
#include "coordinator/rules/program.hpp"

namespace noctune::rules {

// The source between two offsets.
std::string slice(const std::string& source, std::size_t begin, std::size_t end);

// An expression, or nothing where it has side effects or syntax the rules do not know.
ExprPtr read_expression(const std::string& source, const AstNode& node);

// The statements of a function's body; gives loops their ids.
Statements read_body(Program& program, const AstNode& compound);

// Local names for integers: those that stand for affine expressions are replaced by them; all others, and
// parameters that are assigned, are marked as unsteady, so that nothing is concluded from them.
Statements settled(const Statements& statements);

}  // namespace noctune::rules
