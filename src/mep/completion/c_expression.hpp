// C expressions as index texts, guards and loop bounds hold them, as trees. Casts are left out; what the
// parser does not know (lambdas, assignments, strings) gives no tree.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace noctune {

struct CExpression {
  enum class Kind { number, name, index, call, unary, binary, ternary };
  Kind kind = Kind::number;
  double number = 0;
  std::string text;                // name with its members ("blockIdx.x", "dom.nx"), operator, or callee
  std::vector<CExpression> parts;  // operands; index: array, then one per dimension; call: arguments
  bool is(const char* op) const { return (kind == Kind::unary || kind == Kind::binary) && text == op; }
};

// "p->n" reads as "p.n", "hipBlockIdx_x" as "blockIdx.x"; "i][j", as accesses have it, is no expression.
std::optional<CExpression> parse_c_expression(const std::string& text);

// Splits at `separator` outside all brackets; "i][j" at "][" gives {"i", "j"}.
std::vector<std::string> split_outside_brackets(const std::string& text, const std::string& separator);

// The names it uses, each once, in order; callees are not among them.
std::vector<std::string> names_of(const CExpression& expression);

// Terms of a condition that all hold: "a && b" gives both, "!(a || b)" both negated.
struct CComparison {
  std::string op;  // "<", "<=", "==", "!="; ">" and ">=" are turned round
  CExpression left, right;
};
std::vector<CComparison> comparisons_in(const CExpression& condition);

}  // namespace noctune
