#include "coordinator/prompts/prompt_template.hpp"

#include <sstream>

namespace noctune {
namespace {

constexpr const char* head = "template: ";

bool is_name(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
}

std::string listed(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string without_end(std::string line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line;
}

// One blank line between what is left, none at the ends.
std::string tidy(const std::vector<std::string>& lines) {
  std::string out;
  bool gap = false;
  for (const std::string& line : lines) {
    if (line.empty()) {
      gap = !out.empty();
      continue;
    }
    if (gap) out += '\n';
    gap = false;
    out += line + '\n';
  }
  return out;
}

}  // namespace

Result<PromptTemplate> PromptTemplate::parse(const std::string& text, const std::string& file,
                                             const std::string& name, const std::set<std::string>& known) {
  PromptTemplate out;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  line = without_end(line);
  const std::string wanted = head + name + "/";
  if (line.rfind(wanted, 0) != 0 || line.size() == wanted.size())
    return fail(file + ":1: no head line", "it reads \"" + line + "\"",
                "begin the file with \"" + wanted + "<version>\"");
  out.id_ = line.substr(std::string(head).size());
  out.sections_.emplace_back();
  for (int number = 2; std::getline(lines, line); ++number) {
    line = without_end(line);
    if (line.rfind("## ", 0) == 0) out.sections_.emplace_back();
    Line pieces;
    std::size_t from = 0;
    for (auto open = line.find("{{"); open != std::string::npos; open = line.find("{{", open + 1)) {
      const auto close = line.find("}}", open);
      if (close == std::string::npos) break;
      const std::string inside = line.substr(open + 2, close - open - 2);
      if (!is_name(inside)) continue;  // C++ may well say {{1, 2}}
      if (!known.count(inside))
        return fail(file + ":" + std::to_string(number) + ": unknown placeholder {{" + inside + "}}",
                    "this template may use " + listed(known));
      if (open > from) pieces.push_back({line.substr(from, open - from), false});
      pieces.push_back({inside, true});
      from = close + 2;
      open = close + 1;
    }
    if (from < line.size()) pieces.push_back({line.substr(from), false});
    out.sections_.back().push_back(std::move(pieces));
  }
  return out;
}

std::string PromptTemplate::render(const PromptValues& values) const {
  const auto value = [&](const Piece& piece) -> std::string {
    if (!piece.placeholder) return piece.text;
    const auto found = values.find(piece.text);
    return found == values.end() ? std::string() : found->second;
  };
  std::vector<std::string> lines;
  for (const Section& section : sections_) {
    bool asks = false, answered = false;
    for (const Line& line : section)
      for (const Piece& piece : line) {
        asks = asks || piece.placeholder;
        answered = answered || (piece.placeholder && !value(piece).empty());
      }
    if (asks && !answered) continue;
    for (const Line& line : section) {
      std::string text;
      for (const Piece& piece : line) text += value(piece);
      while (!text.empty() && text.back() == '\n') text.pop_back();
      const bool vanished = text.empty() && !line.empty();
      if (!vanished) lines.push_back(std::move(text));
    }
  }
  return tidy(lines);
}

}  // namespace noctune
