#include "report/text_table.hpp"

#include <algorithm>

namespace noctune {
namespace {

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::string blanks(width - std::min(width, display_width(cell)), ' ');
  return align == Align::left ? cell + blanks : blanks + cell;
}

void drop_trailing_blanks(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), starts_character));
}

std::string shortened(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  const std::size_t keep = width > 3 ? width - 3 : 0;
  std::size_t bytes = 0;
  for (std::size_t characters = 0; bytes < text.size(); ++bytes)
    if (starts_character(text[bytes]) && characters++ == keep) break;
  return text.substr(0, bytes) + std::string(width - keep, '.');
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string out, line;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", start), text.size());
    const std::string word = shortened(text.substr(start, end - start), width - std::min(width, indent));
    start = end + 1;
    if (word.empty()) continue;
    if (!line.empty() && display_width(line) + 1 + display_width(word) + (out.empty() ? 0 : indent) > width) {
      out += (out.empty() ? "" : std::string(indent, ' ')) + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + (out.empty() ? "" : std::string(indent, ' ')) + line;
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells)
    std::replace_if(
        cell.begin(), cell.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t indent, std::size_t width) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i)
      line += (i ? "  " : "") + padded(row[i], widths[i], columns_[i]);
    drop_trailing_blanks(line);
    out += shortened(line, width) + "\n";
  }
  return out;
}

}  // namespace noctune
