// Source text as a row of tokens with matched brackets. Never fails: a byte that starts no token is a
// punctuation mark of its own, and a bracket without a partner ends where what is around it ends.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune::reading {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

struct Token {
  enum class Kind { name, number, text, punct, pragma, end };
  Kind kind = Kind::end;
  std::string text;
  std::size_t begin = 0, end = 0;  // bytes of the source
  int line = 0;
  bool space = false;  // a blank or a comment stands before it
};

struct Span {
  std::size_t begin = 0, end = 0;  // tokens [begin, end)
  bool empty() const { return begin >= end; }
  std::size_t size() const { return empty() ? 0 : end - begin; }
};

// Tokens of a text without comments and directives; a line that starts with # is one pragma token.
std::vector<Token> lex(const std::string& text);

class Tokens {
 public:
  explicit Tokens(std::vector<Token> tokens);

  std::size_t size() const { return tokens_.size(); }
  // Beyond the end there is an empty token.
  const Token& operator[](std::size_t i) const { return i < tokens_.size() ? tokens_[i] : end_; }
  bool is(std::size_t i, const char* text) const { return (*this)[i].text == text; }
  bool is_name(std::size_t i) const { return (*this)[i].kind == Token::Kind::name; }
  bool is_one_of(std::size_t i, std::initializer_list<const char*> texts) const;

  // Of the bracket at i: the partner, or where an unmatched one ends; i itself where it opens nothing.
  std::size_t close(std::size_t i) const { return i < close_.size() ? close_[i] : i; }
  // The token after the group that i opens, or after i.
  std::size_t past(std::size_t i) const;
  // The bracket that the closing bracket at i closes, else nowhere.
  std::size_t open(std::size_t i) const { return i < open_.size() ? open_[i] : nowhere; }
  // The '>' of template arguments that start with the '<' at i, else nowhere.
  std::size_t angle_close(std::size_t i) const;
  // The '<' of template arguments that end with the '>' at i, else nowhere.
  std::size_t angle_open(std::size_t i) const;
  // The next of these marks outside any bracket within the span, else its end.
  std::size_t find(Span span, std::initializer_list<const char*> marks) const;

  std::string text(Span span) const;         // as written, with single spaces; "?" where it is very long
  std::string type_text(Span span) const;    // spaced like a type: "const float* __restrict__"
  std::vector<Span> split(Span span) const;  // at commas outside brackets and template arguments
  std::vector<std::string> split_texts(Span span) const;
  TextRange range(Span span) const;

 private:
  void match();
  std::size_t find_angle_close(std::size_t i) const;

  std::vector<Token> tokens_;
  std::vector<std::size_t> close_, open_;
  mutable std::vector<std::size_t>
      angles_;  // answers of angle_close; asked for the same place again and again
  Token end_;
};

}  // namespace noctune::reading
