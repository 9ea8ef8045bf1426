// The text is cut by longest match; strings and characters end at the latest with their line.
#include <cctype>
#include <cstring>

#include "mep/reading/tokens.hpp"

namespace noctune::reading {
namespace {

constexpr const char* marks_of_three[] = {"<<<", ">>>", "<<=", ">>=", "...", "->*"};
constexpr const char* marks_of_two[] = {"->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "##"};

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}
bool in_name(char c) {
  return starts_name(c) || std::isdigit(static_cast<unsigned char>(c));
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::size_t name_end(const std::string& text, std::size_t at) {
  while (at < text.size() && in_name(text[at])) ++at;
  return at;
}

std::size_t number_end(const std::string& text, std::size_t begin) {
  const bool hexadecimal = text.compare(begin, 2, "0x") == 0 || text.compare(begin, 2, "0X") == 0;
  std::size_t at = begin + 1;
  while (at < text.size()) {
    const bool sign = text[at] == '+' || text[at] == '-';
    const bool exponent = sign && std::strchr(hexadecimal ? "pP" : "eE", text[at - 1]) != nullptr;
    const bool separator = text[at] == '\'' && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!in_name(text[at]) && text[at] != '.' && !separator && !exponent) break;
    ++at;
  }
  return at;
}

// The end of a literal that starts with the quote at `at`, or `at` where the line ends before it.
std::size_t literal_end(const std::string& text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[at])
      return i + 1;
  }
  return at;
}

std::size_t raw_string_end(const std::string& text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string::npos || open - quote > 17) return quote + 1;
  const std::string last = ")" + text.substr(quote + 1, open - quote - 1) + "\"";
  const std::size_t found = text.find(last, open);
  return found == std::string::npos ? quote + 1 : found + last.size();
}

std::size_t mark_end(const std::string& text, std::size_t at) {
  for (const char* mark : marks_of_three)
    if (text.compare(at, 3, mark) == 0) return at + 3;
  for (const char* mark : marks_of_two)
    if (text.compare(at, 2, mark) == 0) return at + 2;
  return at + 1;
}

std::size_t line_end(const std::string& text, std::size_t at) {
  while (at < text.size() && (text[at] != '\n' || text[at - 1] == '\\')) ++at;
  return at;
}

// Sets kind and end of the token that starts at its begin.
void cut(const std::string& text, Token& token) {
  const std::size_t at = token.begin;
  const char c = text[at];
  token.kind = Token::Kind::punct;
  if (c == '#' && at + 1 < text.size() && text[at + 1] != '#') {
    token.kind = Token::Kind::pragma;
    token.end = line_end(text, at);
  } else if (c == 'R' && at + 1 < text.size() && text[at + 1] == '"') {
    token.kind = Token::Kind::text;
    token.end = raw_string_end(text, at + 1);
  } else if (starts_name(c)) {
    token.kind = Token::Kind::name;
    token.end = name_end(text, at);
  } else if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
    token.kind = Token::Kind::number;
    token.end = number_end(text, at);
  } else if ((c == '"' || c == '\'') && literal_end(text, at) > at) {
    token.kind = Token::Kind::text;
    token.end = literal_end(text, at);
  } else {
    token.end = mark_end(text, at);
  }
}

}  // namespace

std::vector<Token> lex(const std::string& text) {
  std::vector<Token> tokens;
  int line = 1;
  bool space = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c)) || c == '\\' || c == '\0') {
      line += c == '\n';
      space = true;
      ++at;
      continue;
    }
    Token token;
    token.begin = at;
    token.line = line;
    token.space = space;
    cut(text, token);
    token.text = text.substr(at, token.end - at);
    for (const char within : token.text) line += within == '\n';
    at = token.end;
    space = false;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace noctune::reading
