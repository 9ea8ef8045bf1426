// Aligned columns of text, and text cut or wrapped to a width. Widths count characters, not bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace noctune {

std::size_t display_width(std::string_view utf8);
// At most `width` characters, the last three dots where something was cut.
std::string shortened(const std::string& text, std::size_t width);
// Lines of at most `width`, broken at spaces; every line but the first begins with `indent` spaces.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

enum class Align { left, right };

class TextTable {
 public:
  explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}
  // Line breaks and control characters in a cell become blanks.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  // Cells two spaces apart, lines indented and cut to `width`; no trailing blanks.
  std::string text(std::size_t indent, std::size_t width) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace noctune
