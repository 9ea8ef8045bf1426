#include "mep/completion/text_words.hpp"

#include <algorithm>
#include <cctype>

namespace noctune {
inline namespace text_words {
namespace {

bool part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

bool is_identifier(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), part_of_word);
}

bool is_number(const std::string& text) {
  const std::size_t first = text.find_first_not_of("+- ");
  if (first == std::string::npos) return false;
  if (std::isdigit(static_cast<unsigned char>(text[first])) == 0 && text[first] != '.') return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(first), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+';
  });
}

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::size_t find_word(const std::string& text, const std::string& word, std::size_t at) {
  for (at = text.find(word, at); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !part_of_word(text[at - 1])) && (end >= text.size() || !part_of_word(text[end])))
      return at;
  }
  return std::string::npos;
}

bool holds_word(const std::string& text, const std::string& word) {
  return find_word(text, word) != std::string::npos;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace text_words
}  // namespace noctune
