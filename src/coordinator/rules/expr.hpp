// Expressions of the loops that the rules rewrite: immutable trees, shared between versions.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace noctune::rules {

enum class ExprKind { number, variable, index, unary, postfix, binary, call, cast, select };

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

// text: literal, name, operator, callee or target type. args: operands; of an index the array and the
// subscript.
struct Expr {
  ExprKind kind = ExprKind::number;
  std::string text;
  std::string type;  // canonical type of the value, where known
  std::vector<ExprPtr> args;
  bool unsteady = false;  // variable: may change between two uses, or has a value nobody knows
};

ExprPtr number(long long value);
ExprPtr literal(const std::string& text, const std::string& type);
ExprPtr variable(const std::string& name, const std::string& type);
ExprPtr unsteady_variable(const std::string& name, const std::string& type);
ExprPtr index(ExprPtr array, ExprPtr subscript, const std::string& type);
ExprPtr binary(const std::string& op, ExprPtr left, ExprPtr right, const std::string& type = "");
ExprPtr node(ExprKind kind, const std::string& text, const std::string& type, std::vector<ExprPtr> args);
// left + offset with the constants folded.
ExprPtr plus(const ExprPtr& left, long long offset);

// C++ text with the fewest parentheses that keep the order of evaluation.
std::string print(const ExprPtr& expr);
bool same(const ExprPtr& left, const ExprPtr& right);

using Substitution = std::map<std::string, ExprPtr>;
ExprPtr substitute(const ExprPtr& expr, const Substitution& replacements);
// Rebuilds bottom-up; `change` may return its argument.
ExprPtr rewrite(const ExprPtr& expr, const std::function<ExprPtr(const ExprPtr&)>& change);
void visit(const ExprPtr& expr, const std::function<void(const Expr&)>& action);
bool mentions(const ExprPtr& expr, const std::string& name);
// Reads any array element.
bool reads_memory(const ExprPtr& expr);

// The next place of a whole word in a text, or npos.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t from);
bool contains_word(const std::string& text, const std::string& word);

bool is_floating(const std::string& type);
bool is_integer(const std::string& type);
// "const double *" -> "double"; empty when it is no pointer.
std::string element_of(const std::string& pointer_type);
// Without const and volatile: "const double" -> "double".
std::string plain_type(const std::string& type);

}  // namespace noctune::rules
