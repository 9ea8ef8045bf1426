#include "report/html_parts.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "report/svg.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_rows = 500;

std::string row_of(const Cells& cells, const std::string& tag, const Numbers& numbers) {
  std::string out = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const char* style = i < numbers.first ? "" : i < numbers.last ? " class=\"n\"" : " class=\"w\"";
    out += "<" + tag + style + ">" + cells[i] + "</" + tag + ">";
  }
  return out + "</tr>\n";
}

}  // namespace

std::string data_text(double value, const std::string& words) {
  if (!std::isfinite(value)) return escaped_html(words);
  char number[32];
  const auto end = std::to_chars(number, number + sizeof number, value);
  return "<data value=\"" + std::string(number, end.ptr) + "\">" + escaped_html(words) + "</data>";
}

std::string card(const std::string& value, const std::string& what) {
  return "<div class=\"card\"><b>" + value + "</b>" + escaped_html(what) + "</div>\n";
}

std::string table_of(const Cells& head, const std::vector<Cells>& rows, const Numbers& numbers) {
  std::string out =
      "<div class=\"scroll\"><table><thead>" + row_of(head, "th", numbers) + "</thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) out += row_of(rows[i], "td", numbers);
  out += "</tbody></table></div>\n";
  if (rows.size() > most_rows)
    out += "<p class=\"soft\">The first " + std::to_string(most_rows) + " of " + std::to_string(rows.size()) +
           " rows; noctune report --csv has all.</p>\n";
  return out;
}

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : "<section><h2>" + escaped_html(title) + "</h2>\n" + body + "</section>\n";
}

}  // namespace noctune
