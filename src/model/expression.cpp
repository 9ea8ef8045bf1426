// A recursive-descent parser that computes while it reads: sum -> product -> unary -> primary.
#include "model/expression.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace noctune {
namespace {

constexpr double largest_whole = 9007199254740992.0;  // 2^53
constexpr int deepest = 200;                          // parentheses: more is not a formula

class Parser {
 public:
  // Without symbols every name counts as 1 and arithmetic errors are not raised: names_in() only reads.
  Parser(const std::string& text, const Symbols* symbols) : text_(text), symbols_(symbols) {}

  Result<double> run() {
    const double value = sum();
    skip_spaces();
    if (error_.empty() && at_ != text_.size())
      error("\"" + text_.substr(at_, 12) + "\" is not expected there");
    if (error_.empty() && symbols_ && !std::isfinite(value)) error("the result is not finite: it overflows");
    if (!error_.empty()) return fail("expression \"" + text_ + "\"", error_, hint_);
    return value;
  }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  void error(const std::string& what, const std::string& hint = {}) {
    if (!error_.empty()) return;
    error_ = what;
    hint_ = hint;
  }
  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  char peek() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  double sum() {
    double value = product();
    while (error_.empty()) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        break;
    }
    return value;
  }

  double product() {
    double value = unary();
    while (error_.empty()) {
      if (take('*'))
        value *= unary();
      else if (take('/'))
        value /= divisor(unary());
      else if (take('%'))
        value = std::fmod(value, divisor(unary()));
      else
        break;
    }
    return value;
  }

  double divisor(double value) {
    if (value != 0 || !symbols_) return value;
    error("division by zero");
    return 1;
  }

  double unary() {
    if (++depth_ > deepest) {
      error("it is nested too deeply");
      return 0;
    }
    double value;
    if (take('-'))
      value = -unary();
    else if (take('+'))
      value = unary();
    else
      value = primary();
    --depth_;
    return value;
  }

  double primary() {
    const char c = peek();
    if (take('(')) {
      const double value = sum();
      if (!take(')')) error("a closing parenthesis is missing");
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return name();
    error(c == '\0' ? "it ends where a number or name is expected"
                    : std::string("\"") + c + "\" stands where a number or name is expected");
    return 0;
  }

  double number() {
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + at_, &end);
    const std::size_t next = static_cast<std::size_t>(end - text_.c_str());
    if (next == at_) error("\"" + text_.substr(at_, 8) + "\" is not a number");
    at_ = std::max(next, at_ + 1);
    return value;
  }

  double name() {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    const std::string word = text_.substr(start, at_ - start);
    if (take('(')) return function(word);
    if (std::find(names_.begin(), names_.end(), word) == names_.end()) names_.push_back(word);
    if (!symbols_) return 1;
    const auto found = symbols_->find(word);
    if (found != symbols_->end()) return found->second;
    unknown(word);
    return 0;
  }

  void unknown(const std::string& word) {
    std::string known;
    for (const auto& symbol : *symbols_) known += (known.empty() ? "" : ", ") + symbol.first;
    error("\"" + word + "\" is not a size or a derived count", known.empty() ? "" : "known: " + known);
  }

  double function(const std::string& word) {
    std::vector<double> arguments;
    do arguments.push_back(sum());
    while (error_.empty() && take(','));
    if (!take(')')) error("a closing parenthesis is missing");
    if (!error_.empty()) return 0;
    return apply(word, arguments);
  }

  double apply(const std::string& word, const std::vector<double>& arguments) {
    if (word == "min") return *std::min_element(arguments.begin(), arguments.end());
    if (word == "max") return *std::max_element(arguments.begin(), arguments.end());
    const bool known = word == "ceil" || word == "floor" || word == "sqrt" || word == "log2";
    if (!known)
      error("there is no function " + word, "known: min, max, ceil, floor, sqrt, log2");
    else if (arguments.size() != 1)
      error(word + " takes one argument");
    if (!error_.empty()) return 0;
    const double value = arguments[0];
    if (word == "ceil") return std::ceil(value);
    if (word == "floor") return std::floor(value);
    if (word == "sqrt" && value < 0 && symbols_) error("square root of a negative number");
    if (word == "log2" && value <= 0 && symbols_) error("logarithm of a number that is not positive");
    return word == "sqrt" ? std::sqrt(value) : std::log2(value);
  }

  const std::string& text_;
  const Symbols* symbols_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string error_, hint_;
  std::vector<std::string> names_;
};

}  // namespace

Result<double> evaluate(const std::string& expression, const Symbols& symbols) {
  return Parser(expression, &symbols).run();
}

Result<long long> evaluate_integer(const std::string& expression, const Symbols& symbols) {
  const Result<double> value = evaluate(expression, symbols);
  if (!value) return Failure(value.error());
  if (std::fabs(*value) > largest_whole)
    return fail("expression \"" + expression + "\"", "its value lies beyond 2^53",
                "check the sizes it multiplies");
  if (*value != std::floor(*value))
    return fail("expression \"" + expression + "\"",
                "its value, " + std::to_string(*value) + ", is not a whole number",
                "use floor(...) or ceil(...)");
  return static_cast<long long>(*value);
}

Result<std::vector<std::string>> names_in(const std::string& expression) {
  Parser parser(expression, nullptr);
  const Result<double> value = parser.run();
  if (!value) return Failure(value.error());
  return std::move(parser).names();
}

}  // namespace noctune
