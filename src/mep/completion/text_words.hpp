// Small questions about source text and lists of words. In a namespace of their own, since the evaluator and
// the coordinator have functions of these names.
#pragma once

#include <string>
#include <vector>

namespace noctune {
inline namespace text_words {

bool is_identifier(const std::string& text);
bool is_number(const std::string& text);  // a literal, also "1.0f" and "-1"
std::string in_lower_case(std::string text);
std::string trimmed(const std::string& text);
// Where `word` stands as a whole word, from `at` on; npos where it does not.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t at = 0);
bool holds_word(const std::string& text, const std::string& word);
bool contains(const std::vector<std::string>& words, const std::string& word);

}  // namespace text_words
}  // namespace noctune
