#include "coordinator/rules/reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace noctune::rules {

std::string slice(const std::string& source, std::size_t begin, std::size_t end) {
  return begin <= end && end <= source.size() ? source.substr(begin, end - begin) : std::string();
}

namespace {

// Text without comments and blanks: what stands between two operands is then the operator.
std::string squeezed(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i), text.size()) + 1;
    } else if (!std::isspace(static_cast<unsigned char>(text[i]))) {
      result += text[i];
    }
  }
  return result;
}

const AstNode& stripped(const AstNode& node) {
  const bool shell = node.kind == AstKind::implicit || node.kind == AstKind::parenthesis;
  return shell && node.children.size() == 1 ? stripped(node.children[0]) : node;
}

std::string operator_between(const std::string& source, const AstNode& node) {
  if (node.children.size() != 2) return {};
  return squeezed(slice(source, node.children[0].end, node.children[1].begin));
}

ExprPtr read_binary(const std::string& source, const AstNode& node) {
  static const std::set<std::string> known = {
      "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<<", ">>"};
  const std::string op = operator_between(source, node);
  if (!known.count(op)) return {};
  ExprPtr left = read_expression(source, node.children[0]), right = read_expression(source, node.children[1]);
  return left && right ? binary(op, left, right, plain_type(node.type)) : nullptr;
}

ExprPtr read_unary(const std::string& source, const AstNode& node) {
  if (node.children.size() != 1) return {};
  const std::string op = squeezed(slice(source, node.begin, node.children[0].begin));
  if (op != "-" && op != "!" && op != "~" && op != "+") return {};
  ExprPtr operand = read_expression(source, node.children[0]);
  return operand ? rules::node(ExprKind::unary, op, plain_type(node.type), {operand}) : nullptr;
}

ExprPtr read_call(const std::string& source, const AstNode& node) {
  if (node.children.empty() || node.children[0].begin != node.begin) return {};
  if (stripped(node.children[0]).kind != AstKind::reference) return {};
  std::vector<ExprPtr> args;
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    args.push_back(read_expression(source, node.children[i]));
    if (!args.back()) return {};
  }
  const std::string callee = squeezed(slice(source, node.children[0].begin, node.children[0].end));
  return rules::node(ExprKind::call, callee, plain_type(node.type), std::move(args));
}

ExprPtr read_select(const std::string& source, const AstNode& node) {
  std::vector<ExprPtr> args;
  for (const AstNode& child : node.children) args.push_back(read_expression(source, child));
  if (args.size() != 3 || std::count(args.begin(), args.end(), nullptr)) return {};
  return rules::node(ExprKind::select, "", plain_type(node.type), std::move(args));
}

ExprPtr read_subscript(const std::string& source, const AstNode& node) {
  if (node.children.size() != 2) return {};
  const ExprPtr array = read_expression(source, node.children[0]);
  const ExprPtr subscript = read_expression(source, node.children[1]);
  if (!array || !subscript || array->kind != ExprKind::variable) return {};
  return index(array, subscript, plain_type(node.type));
}

ExprPtr read_cast(const std::string& source, const AstNode& node) {
  if (node.children.empty()) return {};
  const ExprPtr value = read_expression(source, node.children.back());
  const std::string type = plain_type(node.type);
  if (!value || !(is_floating(type) || is_integer(type))) return {};
  return rules::node(ExprKind::cast, type, type, {value});
}

ExprPtr read_reference(const std::string& source, const AstNode& node) {
  const std::string name = squeezed(slice(source, node.begin, node.end));
  return name.empty() ? nullptr : variable(name, node.type);
}

class BodyReader {
 public:
  explicit BodyReader(Program& program) : program_(program), source_(program.sequential.text) {}

  Statements list(const AstNode& compound) {
    Statements result;
    std::size_t previous = compound.begin + 1;
    for (const AstNode& child : compound.children) {
      Statements some = statements_of(child);
      if (!some.empty()) some.front().comments = comments_between(previous, child.begin);
      result.insert(result.end(), some.begin(), some.end());
      previous = child.end;
    }
    return result;
  }

 private:
  Statements statements_of(const AstNode& node) {
    Statements result;
    switch (node.kind) {
      case AstKind::empty:
        return {};
      case AstKind::declaration:
        result = declarations(node);
        break;
      case AstKind::for_loop:
        result = loop(node);
        break;
      case AstKind::branch:
        result = branch(node);
        break;
      case AstKind::compound: {
        Statement block;
        block.kind = StatementKind::block;
        block.body = list(node);
        return {block};
      }
      default:
        result = assignment(node);
    }
    return result.empty() ? opaque(node) : result;
  }

  Statements body_of(const AstNode& node) {
    return node.kind == AstKind::compound ? list(node) : statements_of(node);
  }

  Statements opaque(const AstNode& node) const {
    std::size_t end = node.end;
    while (end < source_.size() && std::isspace(static_cast<unsigned char>(source_[end]))) ++end;
    end = end < source_.size() && source_[end] == ';' ? end + 1 : node.end;
    Statement statement = text_lines(slice(source_, node.begin, end));
    statement.opaque = true;
    // A call with plain arguments can still be inlined.
    const AstNode& call = stripped(node);
    if (call.kind == AstKind::call) statement.value = read_expression(source_, call);
    return {statement};
  }

  Statements declarations(const AstNode& node) {
    Statements result;
    for (const AstNode& child : node.children) {
      if (child.kind != AstKind::variable) return {};
      const std::string plain = plain_type(child.type);
      if (!is_floating(plain) && !is_integer(plain) && plain != "bool") return {};
      if (slice(source_, node.begin, child.begin + 6).find("static") != std::string::npos) return {};
      ExprPtr value;
      if (child.has_value) {
        value = child.children.empty() ? nullptr : read_expression(source_, child.children.back());
        if (!value) return {};
      }
      result.push_back(declare(child.type, child.name, value));
    }
    return result;
  }

  // i = i + 1 in all its spellings.
  static bool read_step(const std::string& source, const AstNode& node, const std::string& name,
                        long long& step) {
    if (node.kind == AstKind::unary && node.children.size() == 1 && stripped(node.children[0]).name == name) {
      const std::string text = squeezed(slice(source, node.begin, node.end));
      return text == "++" + name || text == name + "++";
    }
    if (node.kind != AstKind::compound_assignment || operator_between(source, node) != "+=") return false;
    if (stripped(node.children[0]).name != name) return false;
    const std::string text = squeezed(slice(source, node.children[1].begin, node.children[1].end));
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), step);
    return error == std::errc() && stop == text.data() + text.size() && step > 0;
  }

  Statements loop(const AstNode& node) {
    if (node.children.size() != 4 || node.children[0].kind != AstKind::declaration) return {};
    const AstNode& declared = node.children[0];
    if (declared.children.size() != 1 || !declared.children[0].has_value) return {};
    const AstNode& counter = declared.children[0];
    if (!is_integer(counter.type) || counter.children.empty()) return {};
    const AstNode& test = stripped(node.children[1]);
    const std::string op = operator_between(source_, test);
    if ((op != "<" && op != "<=") || stripped(test.children[0]).name != counter.name) return {};
    Statement result =
        make_loop(plain_type(counter.type), counter.name, read_expression(source_, counter.children.back()),
                  read_expression(source_, test.children[1]), {});
    if (!result.lower || !result.upper) return {};
    if (!read_step(source_, node.children[2], counter.name, result.step)) return {};
    result.threaded = is_marked(program_.sequential, node.begin);
    result.inclusive = op == "<=";
    result.id = loop_id(counter.name);
    result.body = body_of(node.children[3]);
    return writes(result.body, counter.name) ? Statements{} : Statements{result};
  }

  static bool writes(const Statements& body, const std::string& name) {
    bool found = false;
    visit(body, [&](const Statement& statement) {
      found |= statement.kind == StatementKind::assign && statement.target->kind == ExprKind::variable &&
               statement.target->text == name;
    });
    return found;
  }

  Statements branch(const AstNode& node) {
    if (node.children.size() < 2 || node.children.size() > 3) return {};
    Statement result;
    result.kind = StatementKind::branch;
    result.value = read_expression(source_, node.children[0]);
    if (!result.value) return {};
    result.body = body_of(node.children[1]);
    if (node.children.size() == 3) result.otherwise = body_of(node.children[2]);
    return {result};
  }

  // A number in a variable or in an array; pointers are never moved about.
  static bool is_place(const ExprPtr& target) {
    const bool place = target->kind == ExprKind::variable || target->kind == ExprKind::index;
    return place && target->type.find_first_of("*&[") == std::string::npos;
  }

  Statements assignment(const AstNode& outer) {
    const AstNode& node = stripped(outer);
    static const std::set<std::string> known = {"=", "+=", "-=", "*=", "/="};
    if (node.kind == AstKind::unary) return increment(node);
    if (node.kind != AstKind::binary && node.kind != AstKind::compound_assignment) return {};
    const std::string op = operator_between(source_, node);
    if (!known.count(op)) return {};
    ExprPtr target = read_expression(source_, node.children[0]),
            value = read_expression(source_, node.children[1]);
    if (!target || !value) return {};
    return is_place(target) ? Statements{assign(target, op, value)} : Statements{};
  }

  Statements increment(const AstNode& node) {
    if (node.children.size() != 1) return {};
    const std::string text = squeezed(slice(source_, node.begin, node.end));
    const std::string operand = squeezed(slice(source_, node.children[0].begin, node.children[0].end));
    ExprPtr target = read_expression(source_, node.children[0]);
    if (!target || !is_place(target)) return {};
    if (text == "++" + operand || text == operand + "++") return {assign(target, "+=", number(1))};
    if (text == "--" + operand || text == operand + "--") return {assign(target, "-=", number(1))};
    return {};
  }

  std::string loop_id(const std::string& name) {
    const int count = ++uses_[name];
    return count == 1 ? name : name + std::to_string(count);
  }

  std::vector<std::string> comments_between(std::size_t begin, std::size_t end) const {
    std::vector<std::string> lines;
    const std::string text = slice(source_, begin, end);
    for (std::size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at)) {
      const std::size_t stop = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, stop - at));
      at = stop;
    }
    return lines;
  }

  Program& program_;
  const std::string& source_;
  std::map<std::string, int>& uses_ = program_.id_uses;
};

}  // namespace

ExprPtr read_expression(const std::string& source, const AstNode& node) {
  switch (node.kind) {
    case AstKind::implicit:
    case AstKind::parenthesis:
      return node.children.size() == 1 ? read_expression(source, node.children[0]) : nullptr;
    case AstKind::integer:
    case AstKind::floating:
      return literal(slice(source, node.begin, node.end), node.type);
    case AstKind::reference:
      return read_reference(source, node);
    case AstKind::subscript:
      return read_subscript(source, node);
    case AstKind::binary:
      return read_binary(source, node);
    case AstKind::unary:
      return read_unary(source, node);
    case AstKind::call:
      return read_call(source, node);
    case AstKind::conditional:
      return read_select(source, node);
    case AstKind::cast:
      return read_cast(source, node);
    default:
      return nullptr;
  }
}

Statements read_body(Program& program, const AstNode& compound) {
  return BodyReader(program).list(compound);
}

}  // namespace noctune::rules
