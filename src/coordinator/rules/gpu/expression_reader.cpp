// Recursive descent over the precedence of C++.
#include "coordinator/rules/gpu/expression_reader.hpp"

#include <map>

#include "mep/reading/words.hpp"

namespace noctune::rules::gpu {
namespace {

using reading::Span;
using reading::Token;
using reading::Tokens;

constexpr int deepest = 100;
constexpr std::size_t longest = 4000;  // tokens

int rank_of(const std::string& op) {
  static const std::map<std::string, int> table = {
      {"*", 13}, {"/", 13},  {"%", 13}, {"+", 12}, {"-", 12}, {"<<", 11}, {">>", 11}, {"<", 10}, {"<=", 10},
      {">", 10}, {">=", 10}, {"==", 9}, {"!=", 9}, {"&", 8},  {"^", 7},   {"|", 6},   {"&&", 5}, {"||", 4}};
  const auto found = table.find(op);
  return found == table.end() ? 0 : found->second;
}

// The type of an operation on two numbers.
std::string joint_type(const std::string& op, const std::string& left, const std::string& right) {
  if (rank_of(op) <= 10 && rank_of(op) != 8 && rank_of(op) != 7 && rank_of(op) != 6) return "bool";
  for (const char* type :
       {"double", "float", "unsigned long long", "unsigned long", "long long", "long", "unsigned int"})
    if (plain_type(left) == type || plain_type(right) == type) return type;
  if (is_integer(left) && is_integer(right)) return "int";
  return {};
}

std::string number_type(const std::string& text) {
  const bool hexadecimal = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const bool fraction = !hexadecimal && text.find_first_of(".eE") != std::string::npos;
  if (fraction) return text.find_first_of("fF") != std::string::npos ? "float" : "double";
  const bool no_sign = text.find_first_of("uU") != std::string::npos;
  const bool is_long = text.find_first_of("lL") != std::string::npos;
  return std::string(no_sign ? "unsigned " : "") + (is_long ? "long" : "int");
}

class ExpressionReader {
 public:
  ExpressionReader(const Tokens& tokens, Span span, const TypeNames& types)
      : tokens_(tokens), at_(span.begin), end_(span.end), types_(types) {}

  ExprPtr whole() {
    if (end_ <= at_ || end_ - at_ > longest) return {};
    const ExprPtr result = select();
    return at_ == end_ ? result : nullptr;
  }

 private:
  bool next(const char* text) const { return at_ < end_ && tokens_.is(at_, text); }
  bool take(const char* text) { return next(text) && (++at_, true); }

  ExprPtr select() {
    if (++depth_ > deepest) return {};
    ExprPtr condition = operation(4);
    if (condition && take("?")) {
      const ExprPtr yes = select();
      const ExprPtr no = yes && take(":") ? select() : nullptr;
      condition = no ? node(ExprKind::select, "", yes->type, {condition, yes, no}) : nullptr;
    }
    --depth_;
    return condition;
  }

  ExprPtr operation(int lowest) {
    ExprPtr left = unary();
    while (left && at_ < end_) {
      const std::string op = tokens_[at_].text;
      const int rank = tokens_[at_].kind == Token::Kind::punct ? rank_of(op) : 0;
      if (rank == 0 || rank < lowest) return left;
      ++at_;
      const ExprPtr right = operation(rank + 1);
      if (!right) return {};
      left = node(ExprKind::binary, op, joint_type(op, left->type, right->type), {left, right});
    }
    return left;
  }

  ExprPtr unary() {
    if (++depth_ > deepest) return {};
    ExprPtr result;
    for (const char* op : {"-", "!", "~", "+", "&"})
      if (next(op)) {
        ++at_;
        const ExprPtr operand = unary();
        const std::string type = *op == '&' && operand ? operand->type + " *" : operand ? operand->type : "";
        --depth_;
        return operand ? node(ExprKind::unary, op, type, {operand}) : nullptr;
      }
    if (const std::string type = cast_type(); !type.empty()) {
      at_ = tokens_.past(at_);
      const ExprPtr operand = unary();
      result = operand ? node(ExprKind::cast, type, types_.canonical(type), {operand}) : nullptr;
    } else {
      result = postfix(primary());
    }
    --depth_;
    return result;
  }

  // Of "(type)" in front of an operand; pointers are not cast by the rules' text.
  std::string cast_type() const {
    if (!next("(") || tokens_.close(at_) >= end_) return {};
    for (std::size_t i = at_ + 1; i < tokens_.close(at_); ++i)
      if (!types_.is_type(tokens_[i].text)) return {};
    return tokens_.type_text({at_ + 1, tokens_.close(at_)});
  }

  ExprPtr primary() {
    const Token token = tokens_[at_];
    if (at_ >= end_) return {};
    if (token.kind == Token::Kind::number) {
      ++at_;
      return literal(token.text, number_type(token.text));
    }
    if (next("(")) {
      const std::size_t close = tokens_.close(at_);
      if (close >= end_) return {};
      ++at_;
      ExprPtr inner = select();
      if (!inner || at_ != close) return {};
      ++at_;
      return inner;
    }
    if (token.kind != Token::Kind::name) return {};
    if (token.text == "static_cast") return static_cast_of();
    if (reading::is_keyword(token.text) && token.text != "true" && token.text != "false") return {};
    ++at_;
    std::string name = token.text;
    while (next("::") && tokens_.is_name(at_ + 1)) {
      name += "::" + tokens_[at_ + 1].text;
      at_ += 2;
    }
    if (next("(")) return call(name);
    if (token.text == "true" || token.text == "false") return literal(token.text, "bool");
    return variable(name, types_.type_of(name));
  }

  ExprPtr static_cast_of() {
    const std::size_t close = tokens_.is(at_ + 1, "<") ? tokens_.angle_close(at_ + 1) : reading::nowhere;
    if (close == reading::nowhere || close + 1 >= end_ || !tokens_.is(close + 1, "(")) return {};
    const std::string type = tokens_.type_text({at_ + 2, close});
    at_ = close + 1;
    const ExprPtr inner = primary();
    return inner ? node(ExprKind::cast, type, types_.canonical(type), {inner}) : nullptr;
  }

  ExprPtr call(const std::string& name) {
    const std::size_t close = tokens_.close(at_);
    if (close >= end_) return {};
    std::vector<ExprPtr> args;
    for (++at_; at_ < close;) {
      args.push_back(select());
      if (!args.back()) return {};
      if (at_ < close && !take(",")) return {};
    }
    at_ = close + 1;
    if (types_.is_type(name) && args.size() == 1)
      return node(ExprKind::cast, name, types_.canonical(name), std::move(args));
    const std::string type = type_of_call(name, args);
    return node(ExprKind::call, name, type, std::move(args));
  }

  static std::string type_of_call(const std::string& name, const std::vector<ExprPtr>& args) {
    if (name.rfind("make_", 0) == 0) return name.substr(5);
    if (args.empty()) return {};
    if (name == "__ldg") return element_of(args[0]->type);
    return is_floating(args[0]->type) ? plain_type(args[0]->type) : std::string();
  }

  ExprPtr postfix(ExprPtr value) {
    while (value && at_ < end_) {
      if (next("[")) {
        const std::size_t close = tokens_.close(at_);
        if (close >= end_) return {};
        ++at_;
        const ExprPtr subscript = select();
        if (!subscript || at_ != close) return {};
        at_ = close + 1;
        value = index(value, subscript, element_of(value->type));
      } else if ((next(".") || next("->")) && tokens_.is_name(at_ + 1)) {
        value = member(value);
      } else {
        return value;
      }
    }
    return value;
  }

  ExprPtr member(const ExprPtr& value) {
    const std::string suffix = tokens_[at_].text + tokens_[at_ + 1].text;
    at_ += 2;
    if (next("(")) return {};
    if (value->kind != ExprKind::variable)
      return node(ExprKind::postfix, suffix, member_type(value->type), {value});
    const std::string name = value->text + suffix, known = types_.type_of(name);
    return variable(name, known.empty() ? member_type(value->type) : known);
  }

  const Tokens& tokens_;
  std::size_t at_, end_;
  const TypeNames& types_;
  int depth_ = 0;
};

}  // namespace

ExprPtr read_expression(const Tokens& tokens, Span span, const TypeNames& types) {
  return ExpressionReader(tokens, span, types).whole();
}

ExprPtr read_expression(const std::string& text, const TypeNames& types) {
  const Tokens tokens(reading::lex(text));
  return read_expression(tokens, {0, tokens.size()}, types);
}

}  // namespace noctune::rules::gpu
