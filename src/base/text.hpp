// Numbers as people read them, and lists of words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace noctune {

std::string fixed(double value, int digits);  // "2.50"
std::string percent(double fraction);         // "3.1 %"
std::string duration_text(double seconds);    // "1.23 ms", "4.5 s", "2 h 03 min"
std::string bytes_text(double bytes);         // "12.5 MB"
// "1:02:03", "62:03" or "3723" as seconds; negative when malformed.
double parse_duration(const std::string& text);

std::string joined(const std::vector<std::string>& words, std::string_view between = ", ");

}  // namespace noctune
