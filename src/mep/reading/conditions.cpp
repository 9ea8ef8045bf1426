// Precedence climbing over tokens with values that may be unknown; && and || are decided by one known side
// where that is enough.
#include "mep/reading/conditions.hpp"

#include <cstdlib>
#include <set>

#include "mep/reading/tokens.hpp"

namespace noctune::reading {
namespace {

using Value = std::optional<long long>;

constexpr int deepest = 64;  // nested parentheses, operators and macros

// What every compiler that may come defines.
const std::map<std::string, std::string>& usual_macros() {
  static const std::map<std::string, std::string> macros = {
      {"__cplusplus", "202002L"},  {"__CUDACC__", "1"},      {"__NVCC__", "1"},
      {"__CUDA_ARCH__", "900"},    {"_OPENMP", "201511"},    {"__GNUC__", "12"},
      {"__STDC__", "1"},           {"__linux__", "1"},       {"__x86_64__", "1"},
      {"CUDART_VERSION", "12000"}, {"CUDA_VERSION", "12000"}};
  return macros;
}

int precedence(const std::string& mark) {
  static const std::map<std::string, int> levels = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
      {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  const auto found = levels.find(mark);
  return found == levels.end() ? 0 : found->second;
}

Value logical(const std::string& mark, Value left, Value right) {
  const bool is_or = mark == "||";
  if ((left && (*left != 0) == is_or) || (right && (*right != 0) == is_or)) return is_or ? 1 : 0;
  if (!left || !right) return {};
  return is_or ? 0 : 1;
}

Value shifted(const std::string& mark, long long left, long long right) {
  if (right < 0 || right > 62 || left < 0) return {};
  return mark == "<<" ? static_cast<long long>(static_cast<unsigned long long>(left) << right)
                      : left >> right;
}

Value arithmetic(const std::string& mark, long long left, long long right) {
  long long result = 0;
  if (mark == "+") return __builtin_add_overflow(left, right, &result) ? Value{} : result;
  if (mark == "-") return __builtin_sub_overflow(left, right, &result) ? Value{} : result;
  if (mark == "*") return __builtin_mul_overflow(left, right, &result) ? Value{} : result;
  if (right == 0 || right == -1) return mark == "%" && right == -1 ? Value{0} : Value{};
  return mark == "/" ? left / right : left % right;
}

Value combine(const std::string& mark, Value left, Value right) {
  if (mark == "&&" || mark == "||") return logical(mark, left, right);
  if (!left || !right) return {};
  if (mark == "==") return *left == *right;
  if (mark == "!=") return *left != *right;
  if (mark == "<") return *left < *right;
  if (mark == ">") return *left > *right;
  if (mark == "<=") return *left <= *right;
  if (mark == ">=") return *left >= *right;
  if (mark == "|") return *left | *right;
  if (mark == "&") return *left & *right;
  if (mark == "^") return *left ^ *right;
  if (mark == "<<" || mark == ">>") return shifted(mark, *left, *right);
  return arithmetic(mark, *left, *right);
}

class Condition {
 public:
  Condition(const std::string& text, const Macros& macros, int depth)
      : tokens_(lex(text)), macros_(macros), depth_(depth) {}

  Value value() {
    const Value result = ternary();
    return at_ < tokens_.size() ? Value{} : result;
  }

 private:
  bool take(const char* mark) {
    const bool there = tokens_.is(at_, mark);
    at_ += there;
    return there;
  }

  Value ternary() {
    const Value condition = binary(1);
    if (!take("?")) return condition;
    if (++depth_ > deepest) return {};
    const Value yes = ternary();
    take(":");
    const Value no = ternary();
    if (!condition) return {};
    return *condition ? yes : no;
  }

  Value binary(int lowest) {
    if (++depth_ > deepest) return {};
    Value left = unary();
    while (precedence(tokens_[at_].text) >= lowest) {
      const std::string mark = tokens_[at_++].text;
      left = combine(mark, left, binary(precedence(mark) + 1));
    }
    --depth_;
    return left;
  }

  Value unary() {
    if (++depth_ > deepest) return {};
    Value result;
    if (take("!"))
      result = negated(unary());
    else if (take("-"))
      result = combine("-", 0, unary());
    else if (take("+"))
      result = unary();
    else if (take("(")) {
      result = ternary();
      take(")");
    } else
      result = atom();
    --depth_;
    return result;
  }

  static Value negated(Value value) { return value ? Value{*value == 0} : value; }

  Value atom() {
    const Token token = tokens_[at_++];
    if (token.kind == Token::Kind::number) return std::strtoll(token.text.c_str(), nullptr, 0);
    if (token.kind != Token::Kind::name) return {};
    if (token.text == "true" || token.text == "false") return token.text == "true";
    if (token.text == "defined") return defined();
    if (tokens_.is(at_, "(")) {  // __has_include(...) and the like
      at_ = tokens_.past(at_);
      return {};
    }
    return named(token.text);
  }

  Value defined() {
    const bool bracket = take("(");
    const std::string name = tokens_[at_++].text;
    if (bracket) take(")");
    return is_defined(name, macros_);
  }

  Value named(const std::string& name) const {
    if (depth_ > deepest - 8) return {};
    const auto found = macros_.find(name);
    if (found != macros_.end() && !found->second.function_like)
      return Condition(found->second.value, macros_, depth_ + 8).value();
    const auto usual = usual_macros().find(name);
    return usual == usual_macros().end() ? Value{} : std::strtoll(usual->second.c_str(), nullptr, 0);
  }

  Tokens tokens_;
  const Macros& macros_;
  int depth_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_defined(const std::string& name, const Macros& macros) {
  return macros.count(name) > 0 || usual_macros().count(name) > 0;
}

std::optional<bool> condition_holds(const std::string& condition, const Macros& macros) {
  const Value value = Condition(condition, macros, 0).value();
  return value ? std::optional<bool>(*value != 0) : std::nullopt;
}

}  // namespace noctune::reading
