#include "coordinator/rules/gpu/statement_reader.hpp"

#include <charconv>

#include "coordinator/rules/gpu/expression_reader.hpp"
#include "mep/reading/words.hpp"

namespace noctune::rules::gpu {
namespace {

using reading::Span;
using reading::Token;

constexpr int deepest = 60;

class StatementReader {
 public:
  StatementReader(const BodyText& text, TypeNames& types, std::map<std::string, int>& uses)
      : source_(text.source), tokens_(text.tokens), types_(types), uses_(uses) {}

  Statements list(Span span) {
    Statements result;
    std::size_t previous = tokens_[span.begin > 0 ? span.begin - 1 : 0].end;
    for (std::size_t at = span.begin; at < span.end;) {
      const std::vector<std::string> pragmas = pragmas_at(at, span.end);
      if (at >= span.end) break;
      const std::size_t end = statement_end(at, span.end);
      Statements some = one({at, end});
      if (!some.empty()) {
        some.front().comments = comments_between(previous, tokens_[at].begin);
        some.front().pragmas = pragmas;
      }
      result.insert(result.end(), some.begin(), some.end());
      previous = tokens_[end - 1].end;
      at = end;
    }
    return result;
  }

 private:
  std::vector<std::string> pragmas_at(std::size_t& at, std::size_t end) const {
    std::vector<std::string> lines;
    for (; at < end && tokens_[at].kind == Token::Kind::pragma; ++at) {
      const std::string& text = tokens_[at].text;
      const std::size_t word = text.find("pragma");
      if (word != std::string::npos) lines.push_back(text.substr(std::min(word + 7, text.size())));
    }
    return lines;
  }

  std::size_t statement_end(std::size_t at, std::size_t limit, int depth = 0) const {
    while (at < limit && tokens_[at].kind == Token::Kind::pragma) ++at;
    if (depth > deepest || at >= limit) return limit;
    if (tokens_.is(at, "{")) return std::min(tokens_.past(at), limit);
    if (tokens_.is_one_of(at, {"for", "while", "if", "switch"}) && tokens_.is(at + 1, "(")) {
      const bool branch = tokens_.is(at, "if");
      at = statement_end(std::min(tokens_.past(at + 1), limit), limit, depth + 1);
      if (branch && at < limit && tokens_.is(at, "else")) at = statement_end(at + 1, limit, depth + 1);
      return at;
    }
    if (tokens_.is(at, "do")) at = statement_end(at + 1, limit, depth + 1);
    return std::min(tokens_.find({at, limit}, {";"}) + 1, limit);
  }

  Statements one(Span span) {
    if (tokens_.is(span.begin, ";")) return {};
    if (++depth_ > deepest) return opaque(span);
    Statements result = understood(span);
    --depth_;
    return result.empty() ? opaque(span) : result;
  }

  Statements understood(Span span) {
    if (tokens_.is(span.begin, "{")) {
      Statement block;
      block.kind = StatementKind::block;
      block.body = list({span.begin + 1, tokens_.close(span.begin)});
      return {block};
    }
    if (tokens_.is(span.begin, "for")) return loop(span);
    if (tokens_.is(span.begin, "if")) return branch(span);
    if (!tokens_.is(span.end - 1, ";")) return {};
    const Span inner = {span.begin, span.end - 1};
    Statements declared = declarations(inner);
    return declared.empty() ? assignment(inner) : declared;
  }

  Statements opaque(Span span) {
    Statement statement = text_lines(
        source_.substr(tokens_[span.begin].begin, tokens_[span.end - 1].end - tokens_[span.begin].begin));
    statement.opaque = true;
    const bool single = tokens_.is(span.end - 1, ";");
    if (single && tokens_.is_name(span.begin) && tokens_.is(span.begin + 1, "(")) {
      const ExprPtr call = read_expression(tokens_, {span.begin, span.end - 1}, types_);
      if (call && call->kind == ExprKind::call) statement.value = call;
    }
    return {statement};
  }

  // The end of the type words at `at`; `at` itself where none stand there.
  std::size_t type_end(std::size_t at, std::size_t end) const {
    bool named = false;
    std::size_t i = at;
    for (; i < end && tokens_.is_name(i); ++i) {
      const std::string& word = tokens_[i].text;
      const bool qualifier = reading::is_qualifier(word);
      if (!qualifier && !types_.is_type(word)) break;
      named |= !qualifier;
    }
    return named ? i : at;
  }

  Statements declarations(Span span) {
    std::size_t at = type_end(span.begin, span.end);
    if (at == span.begin || !tokens_.is_name(at)) return {};
    const std::string type = tokens_.type_text({span.begin, at});
    Statements result;
    for (const Span& part : tokens_.split({at, span.end})) {
      const bool valued = part.size() > 2 && tokens_.is(part.begin + 1, "=");
      if (!tokens_.is_name(part.begin) || (part.size() != 1 && !valued)) return {};
      ExprPtr value;
      if (valued) {
        value = read_expression(tokens_, {part.begin + 2, part.end}, types_);
        if (!value) return {};
      }
      const std::string& name = tokens_[part.begin].text;
      types_.names[name] = plain_type(type == "auto" ? (value ? value->type : "") : types_.canonical(type));
      result.push_back(declare(type, name, value));
    }
    return result;
  }

  Statements assignment(Span span) {
    for (const char* op : {"=", "+=", "-=", "*=", "/="}) {
      const std::size_t at = tokens_.find(span, {op});
      if (at >= span.end) continue;
      const ExprPtr target = read_expression(tokens_, {span.begin, at}, types_);
      const ExprPtr value = read_expression(tokens_, {at + 1, span.end}, types_);
      const bool place = target && (target->kind == ExprKind::variable || target->kind == ExprKind::index);
      return place && value && target->type.find('*') == std::string::npos
                 ? Statements{assign(target, op, value)}
                 : Statements{};
    }
    return increment(span);
  }

  Statements increment(Span span) {
    for (const char* op : {"++", "--"}) {
      const bool front = tokens_.is(span.begin, op);
      if (!front && !tokens_.is(span.end - 1, op)) continue;
      const Span rest = {span.begin + (front ? 1u : 0u), span.end - (front ? 0u : 1u)};
      const ExprPtr target = read_expression(tokens_, rest, types_);
      if (!target || (target->kind != ExprKind::variable && target->kind != ExprKind::index)) return {};
      return {assign(target, *op == '+' ? "+=" : "-=", number(1))};
    }
    return {};
  }

  Statements branch(Span span) {
    const std::size_t close = tokens_.close(span.begin + 1);
    Statement result;
    result.kind = StatementKind::branch;
    result.value = read_expression(tokens_, {span.begin + 2, close}, types_);
    if (!result.value) return {};
    const std::size_t middle = statement_end(close + 1, span.end);
    result.body = inner({close + 1, middle});
    if (middle < span.end && tokens_.is(middle, "else")) result.otherwise = inner({middle + 1, span.end});
    return {result};
  }

  Statements inner(Span span) {
    if (tokens_.is(span.begin, "{")) return list({span.begin + 1, tokens_.close(span.begin)});
    return list(span);
  }

  // for (T i = lower; i < upper; i += c)
  Statements loop(Span span) {
    const std::size_t close = tokens_.close(span.begin + 1);
    const std::size_t first = tokens_.find({span.begin + 2, close}, {";"});
    const std::size_t second = tokens_.find({first + 1, close}, {";"});
    const std::size_t name_at = type_end(span.begin + 2, first);
    if (second >= close || name_at == span.begin + 2 || !tokens_.is(name_at + 1, "=")) return {};
    const std::string type = tokens_.type_text({span.begin + 2, name_at}), name = tokens_[name_at].text;
    if (!is_integer(types_.canonical(type))) return {};
    types_.names[name] = plain_type(types_.canonical(type));
    Statement result = make_loop(type, name, read_expression(tokens_, {name_at + 2, first}, types_), {}, {});
    if (!tokens_.is(first + 1, name.c_str()) || !tokens_.is_one_of(first + 2, {"<", "<="})) return {};
    result.inclusive = tokens_.is(first + 2, "<=");
    result.upper = read_expression(tokens_, {first + 3, second}, types_);
    if (!result.lower || !result.upper || !read_step({second + 1, close}, name, result.step)) return {};
    const int count = ++uses_[name];
    result.id = count == 1 ? name : name + std::to_string(count);
    result.body = inner({close + 1, span.end});
    return assigned_names(result.body).count(name) ? Statements{} : Statements{result};
  }

  bool read_step(Span span, const std::string& name, long long& step) const {
    const std::string text = tokens_.text(span);
    if (text == "++" + name || text == name + "++") return true;
    if (span.size() != 3 || tokens_[span.begin].text != name || !tokens_.is(span.begin + 1, "+="))
      return false;
    const std::string& value = tokens_[span.begin + 2].text;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), step);
    return error == std::errc() && stop == value.data() + value.size() && step > 0;
  }

  std::vector<std::string> comments_between(std::size_t begin, std::size_t end) const {
    std::vector<std::string> lines;
    const std::string text = source_.substr(begin, end > begin ? end - begin : 0);
    for (std::size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at)) {
      const std::size_t stop = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, stop - at));
      at = stop;
    }
    return lines;
  }

  const std::string& source_;
  const reading::Tokens& tokens_;
  TypeNames& types_;
  std::map<std::string, int>& uses_;
  int depth_ = 0;
};

}  // namespace

Statements read_statements(const BodyText& text, Span span, TypeNames& types,
                           std::map<std::string, int>& id_uses) {
  return StatementReader(text, types, id_uses).list(span);
}

}  // namespace noctune::rules::gpu
