// Foreign text made harmless for a prompt: whatever a compiler, a candidate or a server wrote.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace noctune {

// Valid UTF-8 without control characters except line ends and tabs; terminal colours are taken out, each bad
// byte becomes '?'. Line ends become '\n'.
std::string clean_text(std::string_view text);
// Runs of three or more backticks or tildes become apostrophes or hyphens.
std::string without_fences(std::string text);
// "/scratch/x/candidate.cpp:3" becomes "candidate.cpp:3". Lines that quote source ("  12 | a / b") stay.
std::string without_paths(const std::string& text);
// Whole lines up to `bytes`; says how much was left out.
std::string capped(const std::string& text, std::size_t bytes);
// One line of at most `bytes`, cut at a character's end.
std::string one_line(std::string_view text, std::size_t bytes);
// In a fence longer than any run of backticks inside; empty for empty text.
std::string fenced(const std::string& language, const std::string& text);
// Secret numbers, decimal and hexadecimal, replaced; those too small to be told from others stay.
std::string without_numbers(std::string text, const std::vector<std::uint64_t>& secrets);

std::string trimmed(std::string_view text);
std::string lower_case(std::string text);
std::vector<std::string> lines_of(std::string_view text);

}  // namespace noctune
