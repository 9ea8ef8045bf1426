#include "coordinator/prompts/plain_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace noctune {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Bytes of the UTF-8 character at `at`; 0 where there is none.
std::size_t character_length(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  const unsigned char second = byte_at(text, at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0, beyond = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

// Past "ESC [ ... letter", the way terminals are told colours.
std::size_t after_colour(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (end >= text.size() || text[end] != '[') return end;
  ++end;
  while (end < text.size() && byte_at(text, end) >= 0x20 && byte_at(text, end) < 0x40) ++end;
  return end < text.size() ? end + 1 : end;
}

bool in_path(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._+-~@%#=").find(c) < 11;
}

// "   12 |   code" and "      |   ^": what compilers quote.
bool quotes_source(const std::string& line) {
  const auto bar = line.find(" | ");
  return bar != std::string::npos &&
         line.substr(0, bar).find_first_not_of(" 0123456789") == std::string::npos;
}

std::string line_without_paths(const std::string& line) {
  if (quotes_source(line)) return line;
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const bool starts = line[at] == '/' && (at == 0 || !in_path(line[at - 1]) || line[at - 1] == '=');
    const bool option =
        line[at] == '/' && at >= 2 && line[at - 2] == '-' && (line[at - 1] == 'I' || line[at - 1] == 'L');
    if (!starts && !option) {
      out += line[at++];
      continue;
    }
    std::size_t end = at, last = at;
    for (; end < line.size() && in_path(line[end]); ++end)
      if (line[end] == '/') last = end;
    if (end == at + 1 || line.compare(at, 2, "//") == 0 || line.compare(at, 2, "/*") == 0) {
      out += line[at++];  // a division or a comment
      if (at < line.size() && line[at] == '/') out += line[at++];
      continue;
    }
    out += line.substr(last + 1, end - last - 1);
    at = end;
  }
  return out;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char c = byte_at(text, at);
    if (c == 0x1B) {
      at = after_colour(text, at);
      continue;
    }
    if (c == '\r') {
      out += '\n';
      at += at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
      continue;
    }
    const std::size_t length = character_length(text, at);
    if (length == 0)
      out += '?';
    else if (c >= 0x20 ? c != 0x7F : c == '\n' || c == '\t')
      out += text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::string without_fences(std::string text) {
  for (const char mark : {'`', '~'})
    for (auto at = text.find(std::string(3, mark)); at != std::string::npos;
         at = text.find(std::string(3, mark), at))
      while (at < text.size() && text[at] == mark) text[at++] = mark == '`' ? '\'' : '-';
  return text;
}

std::string without_paths(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text)) out += line_without_paths(line) + '\n';
  if (!out.empty() && (text.empty() || text.back() != '\n')) out.pop_back();
  return out;
}

std::string capped(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  auto end = text.rfind('\n', bytes);
  if (end == std::string::npos || end == 0) {
    end = bytes;
    while (end > 0 && (byte_at(text, end) & 0xC0) == 0x80) --end;
  }
  return text.substr(0, end) + "\n[" + std::to_string(text.size() - end) + " more bytes left out]";
}

std::string one_line(std::string_view text, std::size_t bytes) {
  std::string out;
  for (const char c : clean_text(text)) {
    const bool blank = c == '\n' || c == '\t' || c == ' ';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  out = trimmed(out);
  if (out.size() <= bytes) return out;
  std::size_t end = bytes;
  while (end > 0 && (byte_at(out, end) & 0xC0) == 0x80) --end;
  return out.substr(0, end) + " [...]";
}

std::string fenced(const std::string& language, const std::string& text) {
  if (text.empty()) return {};
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + language + "\n" + text + (text.back() == '\n' ? "" : "\n") + fence;
}

std::string without_numbers(std::string text, const std::vector<std::uint64_t>& secrets) {
  const auto replace = [&](const std::string& number) {
    for (auto at = text.find(number); at != std::string::npos; at = text.find(number, at))
      text.replace(at, number.size(), "[number]");
  };
  for (const std::uint64_t secret : secrets) {
    if (secret < 1000000) continue;
    char hex[24];
    replace(std::to_string(secret));
    std::snprintf(hex, sizeof hex, "%llx", static_cast<unsigned long long>(secret));
    replace(hex);
    std::snprintf(hex, sizeof hex, "%llX", static_cast<unsigned long long>(secret));
    replace(hex);
  }
  return text;
}

std::string trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1));
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace noctune
