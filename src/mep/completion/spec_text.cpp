#include "mep/completion/spec_text.hpp"

#include <cctype>
#include <cmath>

namespace noctune {
namespace {

using Kind = CExpression::Kind;

class Writer {
 public:
  explicit Writer(const std::map<std::string, std::string>& renamed) : renamed_(renamed) {}

  std::optional<std::string> write(const CExpression& expression, bool inside) {
    switch (expression.kind) {
      case Kind::number:
        return number(expression);
      case Kind::name: {
        if (expression.text.find('.') != std::string::npos) return std::nullopt;
        const auto found = renamed_.find(expression.text);
        return found == renamed_.end() ? expression.text : found->second;
      }
      case Kind::unary: {
        const std::optional<std::string> operand = write(expression.parts[0], true);
        if (!operand || expression.text != "-") return std::nullopt;
        return "(0-" + *operand + ")";
      }
      case Kind::binary:
        return binary(expression, inside);
      case Kind::call:
        return call(expression);
      default:
        return std::nullopt;
    }
  }

 private:
  static std::optional<std::string> number(const CExpression& expression) {
    if (expression.number != std::floor(expression.number)) return std::to_string(expression.number);
    return std::to_string(static_cast<long long>(expression.number));
  }

  std::optional<std::string> binary(const CExpression& expression, bool inside) {
    const std::optional<std::string> a = write(expression.parts[0], true);
    const std::optional<std::string> b = write(expression.parts[1], true);
    if (!a || !b) return std::nullopt;
    const std::string& op = expression.text;
    if (op == "/") return "floor(" + *a + "/" + *b + ")";
    const CExpression& right = expression.parts[1];
    if ((op == "<<" || op == ">>") && right.kind == Kind::number && right.number < 48) {
      const std::string factor = std::to_string(1LL << static_cast<int>(right.number));
      return op == "<<" ? "(" + *a + "*" + factor + ")" : "floor(" + *a + "/" + factor + ")";
    }
    if (op != "+" && op != "-" && op != "*" && op != "%") return std::nullopt;
    const std::string text = *a + op + *b;
    return inside ? "(" + text + ")" : text;
  }

  std::optional<std::string> call(const CExpression& expression) {
    static const std::map<std::string, std::string> known = {
        {"ceil", "ceil"}, {"ceilf", "ceil"}, {"floor", "floor"}, {"min", "min"},
        {"max", "max"},   {"sqrt", "sqrt"},  {"log2", "log2"}};
    const auto found = known.find(expression.text);
    if (found == known.end()) return std::nullopt;
    std::string out;
    for (const CExpression& part : expression.parts) {
      // Within ceil a quotient is a real number.
      const bool real = found->second == "ceil" && part.is("/");
      std::optional<std::string> text;
      if (real) {
        const std::optional<std::string> a = write(part.parts[0], true), b = write(part.parts[1], true);
        if (a && b) text = *a + "/" + *b;
      } else {
        text = write(part, false);
      }
      if (!text) return std::nullopt;
      out += (out.empty() ? "" : ", ") + *text;
    }
    return found->second + "(" + out + ")";
  }

  const std::map<std::string, std::string>& renamed_;
};

bool word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::optional<std::string> spec_text(const std::string& expression,
                                     const std::map<std::string, std::string>& renamed) {
  const std::optional<CExpression> parsed = parse_c_expression(expression);
  if (!parsed) return std::nullopt;
  return Writer(renamed).write(*parsed, false);
}

std::string with_names(const std::string& text, const std::map<std::string, std::string>& renamed) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!word_part(text[at])) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && word_part(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    const auto found = renamed.find(word);
    out += found == renamed.end() ? word : found->second;
    at = end;
  }
  return out;
}

}  // namespace noctune
