// Precedence climbing over a list of tokens.
#include "mep/completion/c_expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

namespace noctune {
namespace {

using Kind = CExpression::Kind;
constexpr int deepest = 100;

bool word_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t number_end(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (word_part(text[end]) || text[end] == '.' ||
                               ((text[end] == '+' || text[end] == '-') && end > at &&
                                (text[end - 1] == 'e' || text[end - 1] == 'E') && text[at + 1] != 'x')))
    ++end;
  return end;
}

std::size_t operator_length(const std::string& text, std::size_t at) {
  static const std::array<const char*, 12> two = {
      "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "::", "++", "--"};
  for (const char* op : two)
    if (text.compare(at, 2, op) == 0) return 2;
  return 1;
}

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t end = at;
    const bool digit = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    const bool point = text[at] == '.' && at + 1 < text.size() && std::isdigit(text[at + 1]) != 0;
    if (digit || point)
      end = number_end(text, at);
    else if (word_start(text[at]))
      while (end < text.size() && word_part(text[end])) ++end;
    else
      end = at + operator_length(text, at);
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

int binding_of(const std::string& op) {
  static const std::map<std::string, int> known = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
      {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  const auto found = known.find(op);
  return found == known.end() ? 0 : found->second;
}

bool type_word(const std::string& word) {
  static const std::set<std::string> words = {
      "int",    "long",     "short",   "char",      "unsigned", "signed",  "float",    "double",   "size_t",
      "const",  "std",      "uint",    "ulong",     "int32_t",  "int64_t", "uint32_t", "uint64_t", "uint8_t",
      "int8_t", "uint16_t", "int16_t", "ptrdiff_t", "ssize_t",  "bool",    "uchar",    "ushort"};
  return words.count(word) > 0;
}

// "hipBlockIdx_x" and the like.
std::string thread_name(const std::string& word) {
  static const std::map<std::string, std::string> known = {{"hipBlockIdx", "blockIdx"},
                                                           {"hipThreadIdx", "threadIdx"},
                                                           {"hipBlockDim", "blockDim"},
                                                           {"hipGridDim", "gridDim"}};
  const std::size_t cut = word.rfind('_');
  if (cut == std::string::npos) return word;
  const auto found = known.find(word.substr(0, cut));
  return found == known.end() ? word : found->second + "." + word.substr(cut + 1);
}

CExpression node(Kind kind, std::string text, std::vector<CExpression> parts = {}) {
  CExpression out;
  out.kind = kind;
  out.text = std::move(text);
  out.parts = std::move(parts);
  return out;
}

class Parser {
 public:
  explicit Parser(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {}

  std::optional<CExpression> whole() {
    std::optional<CExpression> out = ternary();
    if (at_ != tokens_.size()) return std::nullopt;
    return out;
  }

 private:
  const std::string& next(std::size_t ahead = 0) const {
    static const std::string none;
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : none;
  }
  bool take(const char* token) {
    if (next() != token) return false;
    ++at_;
    return true;
  }

  std::optional<CExpression> ternary() {
    if (++depth_ > deepest) return std::nullopt;
    std::optional<CExpression> condition = binary(1);
    if (condition && take("?")) {
      std::optional<CExpression> yes = ternary();
      if (!yes || !take(":")) return std::nullopt;
      std::optional<CExpression> no = ternary();
      if (!no) return std::nullopt;
      condition = node(Kind::ternary, "?", {*condition, *yes, *no});
    }
    --depth_;
    return condition;
  }

  std::optional<CExpression> binary(int weakest) {
    std::optional<CExpression> left = unary();
    while (left) {
      const std::string op = next();
      const int binding = binding_of(op);
      if (binding == 0 || binding < weakest) break;
      ++at_;
      const std::optional<CExpression> right = binary(binding + 1);
      if (!right) return std::nullopt;
      left = node(Kind::binary, op, {*left, *right});
    }
    return left;
  }

  // Behind "(": words of a type and "*", then ")".
  bool cast_follows() const {
    std::size_t i = 1;
    if (!type_word(next(i)) && !next(i + 2).empty() && next(i + 1) == "*" && next(i + 2) == ")") return true;
    while (type_word(next(i)) || next(i) == "::" || (i > 1 && next(i) == "*")) ++i;
    return i > 1 && next(i) == ")";
  }

  std::optional<CExpression> unary() {
    if (++depth_ > deepest) return std::nullopt;
    std::optional<CExpression> out;
    const std::string op = next();
    if (op == "-" || op == "+" || op == "!" || op == "~" || op == "*" || op == "&") {
      ++at_;
      out = unary();
      if (out && op != "+") out = node(Kind::unary, op, {*out});
    } else if (op == "(" && cast_follows()) {
      while (!take(")")) ++at_;
      out = unary();
    } else {
      out = postfix();
    }
    --depth_;
    return out;
  }

  std::optional<CExpression> postfix() {
    std::optional<CExpression> out = primary();
    while (out) {
      if (next() == "." || next() == "->") {
        if (out->kind != Kind::name && out->kind != Kind::index) return std::nullopt;
        ++at_;
        out->text += "." + next();
        ++at_;
      } else if (take("[")) {
        const std::optional<CExpression> inside = ternary();
        if (!inside || !take("]")) return std::nullopt;
        if (out->kind == Kind::name) out = node(Kind::index, out->text);
        out->parts.push_back(*inside);
      } else {
        break;
      }
    }
    return out;
  }

  std::optional<CExpression> call(const std::string& callee) {
    CExpression out = node(Kind::call, callee);
    if (take(")")) return out;
    do {
      const std::optional<CExpression> argument = ternary();
      if (!argument) return std::nullopt;
      out.parts.push_back(*argument);
    } while (take(","));
    if (!take(")")) return std::nullopt;
    if (out.parts.size() == 1 && (type_word(callee) || callee.rfind("static_cast", 0) == 0))
      return out.parts[0];
    return out;
  }

  std::optional<CExpression> primary() {
    const std::string token = next();
    if (token.empty()) return std::nullopt;
    ++at_;
    if (token == "(") {
      std::optional<CExpression> inside = ternary();
      if (!inside || !take(")")) return std::nullopt;
      return inside;
    }
    if (std::isdigit(static_cast<unsigned char>(token[0])) != 0 || token[0] == '.') return number(token);
    if (!word_start(token[0])) return std::nullopt;
    std::string name = thread_name(token);
    while (next() == "::") {
      ++at_;
      name = next();
      ++at_;
    }
    if (name == "static_cast" && take("<")) {
      while (at_ < tokens_.size() && !take(">")) ++at_;
    }
    if (take("(")) return call(name);
    return node(Kind::name, name);
  }

  static std::optional<CExpression> number(const std::string& token) {
    CExpression out = node(Kind::number, token);
    const bool hexadecimal = token.size() > 1 && (token[1] == 'x' || token[1] == 'X');
    out.number = hexadecimal ? static_cast<double>(std::strtoull(token.c_str(), nullptr, 16))
                             : std::strtod(token.c_str(), nullptr);
    return out;
  }

  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void collect_names(const CExpression& expression, std::vector<std::string>& out) {
  const bool named = expression.kind == Kind::name || expression.kind == Kind::index;
  if (named && std::find(out.begin(), out.end(), expression.text) == out.end())
    out.push_back(expression.text);
  for (const CExpression& part : expression.parts) collect_names(part, out);
}

std::string negated(const std::string& op) {
  static const std::map<std::string, std::string> opposite = {{"<", ">="}, {"<=", ">"},  {">", "<="},
                                                              {">=", "<"}, {"==", "!="}, {"!=", "=="}};
  const auto found = opposite.find(op);
  return found == opposite.end() ? std::string() : found->second;
}

void collect_comparisons(const CExpression& condition, bool holds, std::vector<CComparison>& out) {
  if (condition.is("!")) return collect_comparisons(condition.parts[0], !holds, out);
  if (condition.is(holds ? "&&" : "||")) {
    for (const CExpression& part : condition.parts) collect_comparisons(part, holds, out);
    return;
  }
  if (condition.kind != Kind::binary || negated(condition.text).empty()) return;
  std::string op = holds ? condition.text : negated(condition.text);
  CExpression left = condition.parts[0], right = condition.parts[1];
  if (op[0] == '>') {
    op[0] = '<';
    std::swap(left, right);
  }
  out.push_back({op, left, right});
}

}  // namespace

std::optional<CExpression> parse_c_expression(const std::string& text) {
  return Parser(tokens_of(text)).whole();
}

std::vector<std::string> split_outside_brackets(const std::string& text, const std::string& separator) {
  std::vector<std::string> out(1);
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (open == 0 && text.compare(i, separator.size(), separator) == 0) {
      out.emplace_back();
      i += separator.size() - 1;
      continue;
    }
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++open;
    if (text[i] == ')' || text[i] == ']' || text[i] == '}') --open;
    out.back() += text[i];
  }
  return out;
}

std::vector<std::string> names_of(const CExpression& expression) {
  std::vector<std::string> out;
  collect_names(expression, out);
  return out;
}

std::vector<CComparison> comparisons_in(const CExpression& condition) {
  std::vector<CComparison> out;
  collect_comparisons(condition, true, out);
  return out;
}

}  // namespace noctune
