// Brackets are matched once, with a stack: a brace closes whatever is open inside it, a parenthesis never
// closes a brace. Template arguments are told from comparisons by what stands in them and behind them.
#include "mep/reading/tokens.hpp"

#include <algorithm>

namespace noctune::reading {
namespace {

constexpr std::size_t longest_text = 8000;      // bytes of a joined span
constexpr std::size_t longest_span = 2000;      // tokens of one
constexpr std::size_t longest_arguments = 200;  // tokens of template arguments

char opened_by(const Token& token) {
  if (token.kind != Token::Kind::punct || token.text.size() != 1) return 0;
  const char c = token.text[0];
  return c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '\0';
}

bool opens(const Token& token) {
  if (token.kind != Token::Kind::punct || token.text.size() != 1) return false;
  return token.text[0] == '(' || token.text[0] == '[' || token.text[0] == '{';
}

int angles(const Token& token, char angle) {
  if (token.kind != Token::Kind::punct) return 0;
  const bool all = std::all_of(token.text.begin(), token.text.end(), [&](char c) { return c == angle; });
  return all ? static_cast<int>(token.text.size()) : 0;
}

// Whether a token may stand between template angles.
bool in_arguments(const Token& token) {
  if (token.kind == Token::Kind::name || token.kind == Token::Kind::number) return true;
  for (const char* mark : {",", "::", "*", "&", "+", "-", "/", "...", "(", ")", "[", "]", "="})
    if (token.text == mark) return true;
  return false;
}

bool is_word(const Token& token) {
  return token.kind == Token::Kind::name || token.kind == Token::Kind::number;
}

}  // namespace

Tokens::Tokens(std::vector<Token> tokens) : tokens_(std::move(tokens)) {
  if (!tokens_.empty()) {
    end_.begin = end_.end = tokens_.back().end;
    end_.line = tokens_.back().line;
  }
  match();
}

void Tokens::match() {
  close_.resize(tokens_.size());
  open_.assign(tokens_.size(), nowhere);
  struct Level {
    std::size_t round = 0, square = 0;
  };
  std::vector<std::size_t> stack;
  std::vector<Level> levels(1);
  const auto pop = [&](std::size_t end) {
    const std::string& text = tokens_[stack.back()].text;
    if (text == "{")
      levels.pop_back();
    else
      --(text == "(" ? levels.back().round : levels.back().square);
    close_[stack.back()] = end;
    stack.pop_back();
  };
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    close_[i] = i;
    if (opens(tokens_[i])) {
      stack.push_back(i);
      if (tokens_[i].text == "{")
        levels.emplace_back();
      else
        ++(tokens_[i].text == "(" ? levels.back().round : levels.back().square);
    } else if (const char opener = opened_by(tokens_[i])) {
      const bool partner = opener == '{'   ? levels.size() > 1
                           : opener == '(' ? levels.back().round > 0
                                           : levels.back().square > 0;
      while (partner && tokens_[stack.back()].text[0] != opener) pop(i);
      if (!partner) continue;
      open_[i] = stack.back();
      pop(i);
    }
  }
  while (!stack.empty()) pop(tokens_.size());
}

bool Tokens::is_one_of(std::size_t i, std::initializer_list<const char*> texts) const {
  return std::any_of(texts.begin(), texts.end(), [&](const char* text) { return is(i, text); });
}

std::size_t Tokens::past(std::size_t i) const {
  const std::size_t end = close(i);
  return end == i ? i + 1 : std::min(end + (open(end) == i ? 1 : 0), size());
}

std::size_t Tokens::angle_close(std::size_t i) const {
  constexpr std::size_t unasked = nowhere - 1;
  if (i >= size()) return nowhere;
  if (angles_.empty()) angles_.assign(size(), unasked);
  if (angles_[i] == unasked) angles_[i] = find_angle_close(i);
  return angles_[i];
}

std::size_t Tokens::find_angle_close(std::size_t i) const {
  int depth = 0;
  const std::size_t limit = std::min(size(), i + longest_arguments);
  for (std::size_t at = i; at < limit; at = at == i ? at + 1 : past(at)) {
    if (is(at, "<"))
      ++depth;
    else if (const int closed = angles((*this)[at], '>'))
      depth -= closed;
    else if (!in_arguments((*this)[at]))
      return nowhere;
    if (open(at) != nowhere) return nowhere;
    if (depth <= 0) return at;
  }
  return nowhere;
}

std::size_t Tokens::angle_open(std::size_t i) const {
  const int closed = angles((*this)[i], '>');
  if (closed == 0 || i >= size()) return nowhere;
  int depth = closed;
  const std::size_t limit = i > longest_arguments ? i - longest_arguments : 0;
  for (std::size_t at = i; at-- > limit;) {
    if (open(at) != nowhere)
      at = open(at);
    else if (is(at, "<"))
      --depth;
    else if (const int more = angles((*this)[at], '>'))
      depth += more;
    else if (!in_arguments((*this)[at]))
      return nowhere;
    if (depth <= 0) return at;
  }
  return nowhere;
}

std::size_t Tokens::find(Span span, std::initializer_list<const char*> marks) const {
  const std::size_t end = std::min(span.end, size());
  for (std::size_t at = span.begin; at < end; at = past(at))
    if ((*this)[at].kind == Token::Kind::punct && is_one_of(at, marks)) return at;
  return end;
}

std::string Tokens::text(Span span) const {
  std::string out;
  if (span.size() > longest_span) return "?";
  for (std::size_t i = span.begin; i < std::min(span.end, size()) && out.size() < longest_text; ++i) {
    if (tokens_[i].kind == Token::Kind::pragma) continue;
    if (tokens_[i].space && !out.empty()) out += ' ';
    out += tokens_[i].text;
  }
  return out;
}

std::string Tokens::type_text(Span span) const {
  std::string out;
  for (std::size_t i = span.begin; i < std::min(span.end, size()) && out.size() < longest_text; ++i) {
    const bool words = !out.empty() && is_word(tokens_[i]) && i > span.begin && is_word(tokens_[i - 1]);
    const bool after_mark =
        !out.empty() && is_word(tokens_[i]) &&
        (out.back() == '*' || out.back() == '&' || out.back() == '>' || out.back() == ',');
    if (words || after_mark) out += ' ';
    out += tokens_[i].text;
  }
  return out;
}

std::vector<Span> Tokens::split(Span span) const {
  std::vector<Span> parts;
  const std::size_t end = std::min(span.end, size());
  std::size_t begin = span.begin;
  for (std::size_t at = span.begin; at < end;) {
    if (is(at, ",")) {
      parts.push_back({begin, at});
      begin = at + 1;
    }
    const std::size_t angle = is(at, "<") && at > span.begin && is_name(at - 1) ? angle_close(at) : nowhere;
    const bool arguments =
        angle != nowhere && angle < end &&
        (angle + 1 >= end || is_one_of(angle + 1, {"(", "::", "{", ")", ",", "*", "&", "<<<"}) ||
         is_name(angle + 1));
    at = std::min(arguments ? angle + 1 : past(at), end);
  }
  if (begin < end || !parts.empty()) parts.push_back({begin, end});
  return parts;
}

std::vector<std::string> Tokens::split_texts(Span span) const {
  std::vector<std::string> texts;
  for (const Span& part : split(span)) texts.push_back(text(part));
  return texts;
}

TextRange Tokens::range(Span span) const {
  if (span.empty() || span.begin >= size()) return {};
  const Token& first = (*this)[span.begin];
  const Token& last = (*this)[std::min(span.end, size()) - 1];
  return {first.begin, std::max(first.begin, last.end), first.line};
}

}  // namespace noctune::reading
