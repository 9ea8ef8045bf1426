// Pieces that the sections of the HTML report are put together from.
#pragma once

#include <string>
#include <vector>

namespace noctune {

// A number as people read it, and beside it as programs do.
std::string data_text(double value, const std::string& words);
// A figure in a box; `value` is HTML, `what` is text.
std::string card(const std::string& value, const std::string& what);

using Cells = std::vector<std::string>;  // already HTML

// Columns [first, last) are numbers, aligned to the right; what follows them is text of some length.
struct Numbers {
  std::size_t first = 0, last = 99;
};

// Long tables are cut, and say so.
std::string table_of(const Cells& head, const std::vector<Cells>& rows, const Numbers& numbers);
// Empty for an empty body.
std::string section(const std::string& title, const std::string& body);

}  // namespace noctune
