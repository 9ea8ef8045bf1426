#include "integration/source_edit.hpp"

#include <algorithm>
#include <sstream>

#include "mep/reading/prepare.hpp"
#include "mep/reading/tokens.hpp"

namespace noctune {
namespace {

std::vector<reading::Token> tokens_of(const std::string& text) {
  return reading::lex(reading::prepare(text, {}, true).text);
}

bool is_include(const std::string& line) {
  const std::string plain = trimmed_line(line);
  if (plain.empty() || plain[0] != '#') return false;
  const std::size_t word = plain.find_first_not_of(" \t", 1);
  return word != std::string::npos && plain.compare(word, 7, "include") == 0;
}

std::size_t line_begin(const std::string& text, std::size_t at) {
  const std::size_t end = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return end == std::string::npos ? 0 : end + 1;
}

std::size_t next_line(const std::string& text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string::npos ? text.size() : end + 1;
}

bool names_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool names_go_on(char c) {
  return names_start(c) || std::isdigit(static_cast<unsigned char>(c));
}

// Past a comment or a literal that starts here; the same place where none does.
std::size_t past_quiet(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string::npos ? text.size() : end + 2;
  }
  if (text[at] != '"' && text[at] != '\'') return at;
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[at])
      return i + 1;
  }
  return at + 1;
}

// Calls with every identifier and what lies between them, in order.
template <class Name, class Other>
void walk(const std::string& text, const Name& on_name, const Other& on_other) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = past_quiet(text, at);
    const bool name = end == at && names_start(text[at]);
    if (end == at) end = at + 1;
    // Digits with what belongs to them are no names: 0x1p, 1.0f.
    if (name || std::isdigit(static_cast<unsigned char>(text[at])))
      while (end < text.size() && names_go_on(text[end])) ++end;
    const std::string part = text.substr(at, end - at);
    name ? on_name(part) : on_other(part);
    at = end;
  }
}

// Whether what comes next belongs to something else: x.name, x->name, std::name.
bool is_member(const std::string& before) {
  const std::size_t last = before.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return false;
  return before[last] == '.' ||
         (last > 0 && (before.compare(last - 1, 2, "->") == 0 || before.compare(last - 1, 2, "::") == 0));
}

}  // namespace

std::string trimmed_line(const std::string& line) {
  const std::size_t from = line.find_first_not_of(" \t\r");
  return from == std::string::npos ? "" : line.substr(from, line.find_last_not_of(" \t\r") - from + 1);
}

std::string canonical(const std::string& text) {
  std::string out;
  for (const reading::Token& token : tokens_of(text)) out += token.text + " ";
  return out;
}

std::string piece(const std::string& text, const TextRange& range) {
  return text.substr(range.begin, range.end - range.begin);
}

std::string edited(const std::string& text, std::vector<TextEdit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    if (edit.begin < at) continue;  // inside what is gone already
    out += text.substr(at, edit.begin - at) + edit.text;
    at = edit.end;
  }
  return out + text.substr(at);
}

std::string renamed(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string out;
  walk(
      text,
      [&](const std::string& name) {
        const auto found = names.find(name);
        out += found == names.end() || is_member(out) ? name : found->second;
      },
      [&](const std::string& other) { out += other; });
  return out;
}

std::size_t uses_of(const std::string& text, const std::string& name) {
  std::size_t uses = 0;
  walk(
      text, [&](const std::string& found) { uses += found == name ? 1 : 0; }, [](const std::string&) {});
  return uses;
}

std::vector<std::string> include_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (is_include(line)) out.push_back(trimmed_line(line));
  return out;
}

std::vector<std::string> directive_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::string plain = trimmed_line(line); !plain.empty() && plain[0] == '#') out.push_back(plain);
  return out;
}

std::string without_includes(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = next_line(text, at);
    const std::string line = text.substr(at, end - at);
    if (!is_include(line)) out += line;
    at = end;
  }
  return out;
}

TextEdit missing_includes(const std::string& text, const std::vector<std::string>& wanted) {
  const std::vector<std::string> present = include_lines(text);
  TextEdit out;
  for (const std::string& line : wanted)
    if (std::find(present.begin(), present.end(), line) == present.end()) out.text += line + "\n";
  for (std::size_t at = 0; at < text.size(); at = next_line(text, at))
    if (is_include(text.substr(at, next_line(text, at) - at))) out.begin = next_line(text, at);
  if (out.begin > 0 && text[out.begin - 1] != '\n') out.text = "\n" + out.text;
  out.end = out.begin;
  return out;
}

std::size_t with_comment_above(const std::string& text, std::size_t at) {
  std::size_t begin = line_begin(text, at);
  while (begin > 0) {
    const std::size_t above = line_begin(text, begin - 1);
    if (trimmed_line(text.substr(above, begin - above - 1)).compare(0, 2, "//") != 0) break;
    begin = above;
  }
  return begin;
}

std::string without_leading_comment(const std::string& text) {
  std::size_t at = 0;
  for (;;) {
    const std::size_t start = text.find_first_not_of(" \t\r\n", at);
    if (start == std::string::npos) return "";
    if (text[start] != '/') return text.substr(line_begin(text, start));
    const std::size_t end = past_quiet(text, start);
    if (end == start) return text.substr(start);
    at = end;
  }
}

}  // namespace noctune
