// Expressions of kernels from tokens. Nothing where there are side effects or syntax that the rules do not
// know.
#pragma once

#include <string>

#include "coordinator/rules/expr.hpp"
#include "coordinator/rules/gpu/type_names.hpp"
#include "mep/reading/tokens.hpp"

namespace noctune::rules::gpu {

ExprPtr read_expression(const reading::Tokens& tokens, reading::Span span, const TypeNames& types);
// Of a text on its own.
ExprPtr read_expression(const std::string& text, const TypeNames& types);

}  // namespace noctune::rules::gpu
