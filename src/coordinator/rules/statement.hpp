// Statements of the functions that the rules rewrite: values, copied freely.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "coordinator/rules/expr.hpp"

namespace noctune::rules {

enum class StatementKind { declare, assign, loop, branch, block, text };

struct Statement {
  StatementKind kind = StatementKind::text;
  std::vector<std::string> comments;  // lines above it, with their slashes
  std::vector<std::string> pragmas;   // "omp simd", above it
  // declare: type name = value (value may be null). loop: for (type name = lower; name < upper; name += step)
  std::string type, name;
  ExprPtr value;           // declare, assign; branch: the condition
  ExprPtr target;          // assign
  std::string op;          // assign: "=", "+=", ...
  ExprPtr lower, upper;    // loop; upper is exclusive
  bool inclusive = false;  // loop: printed as name <= upper; `upper` is then the last value
  long long step = 1;
  std::string id;  // loop: unique in the program
  std::vector<Statement> body, otherwise;
  std::string text;  // text: lines as they stand
  bool threaded =
      false;  // loop: a team shared its iterations in the original, so arrays do not tie them together
  bool opaque = false;  // text of the original that the rules do not understand
};

using Statements = std::vector<Statement>;

Statement declare(const std::string& type, const std::string& name, ExprPtr value);
Statement assign(ExprPtr target, const std::string& op, ExprPtr value);
Statement make_loop(const std::string& type, const std::string& name, ExprPtr lower, ExprPtr upper,
                    Statements body);
Statement text_lines(const std::string& text);
// The exclusive upper bound as an expression.
ExprPtr upper_bound(const Statement& loop);

std::string print(const Statements& statements, int indent);

void visit(const Statements& statements, const std::function<void(const Statement&)>& action);
void visit_expressions(const Statements& statements, const std::function<void(const ExprPtr&)>& action);
// Replaces variables everywhere, loop variables' own declarations excepted.
Statements substitute(const Statements& statements, const Substitution& replacements);
// Folds integer constants in all expressions.
void fold_constants(Statements& statements);
// Names declared inside, loop variables included.
std::set<std::string> declared_names(const Statements& statements);
// Scalars that are assigned, wherever they are declared.
std::set<std::string> assigned_names(const Statements& statements);
bool has_opaque(const Statements& statements);
bool mentions(const Statements& statements, const std::string& name);
Statement* find_loop(Statements& statements, const std::string& id);
// The list that holds the loop, and its place there.
struct Place {
  Statements* list = nullptr;
  std::size_t at = 0;
};
Place find_place(Statements& statements, const std::string& id);
// Loops from outside in that enclose the loop `id`, itself not included.
std::vector<const Statement*> enclosing_loops(const Statements& statements, const std::string& id);
bool is_innermost(const Statement& loop);

}  // namespace noctune::rules
