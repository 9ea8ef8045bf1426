// C++ text as a compiler's first phases see it: continued lines joined, comments and literals told apart. It
// must agree with compilers on hostile text, too, or a directive could hide in what we take for a comment.
#pragma once

#include <string>
#include <vector>

namespace noctune {

struct SourcePiece {
  enum class Kind { code, literal, comment };
  Kind kind = Kind::code;
  std::string text;  // literals with their quotes, comments with their marks
};

std::vector<SourcePiece> source_pieces(const std::string& source);

// Code and literals. A comment counts as a space, line ends inside literals as spaces.
std::string flat_code(const std::vector<SourcePiece>& pieces);

struct Directive {
  std::string name;  // "include", "pragma"; a number for line markers
  std::string rest;  // trimmed
  std::string text() const { return "#" + name + (rest.empty() ? "" : " " + rest); }
};
std::vector<Directive> directives(const std::string& flat);

bool is_word_character(char c);
// The word, not as part of a longer one.
bool has_word(const std::string& text, const std::string& word);

}  // namespace noctune
