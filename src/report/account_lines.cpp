#include "report/account_lines.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "report/report_style.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

constexpr std::size_t name_width = 11, state_width = 10;

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

// The text as it stands from `column` on.
std::string beside(std::size_t column, const std::string& text, const ReportOptions& options) {
  std::istringstream lines(wrapped(text, static_cast<std::size_t>(options.width) - column, 0));
  std::string out, line;
  while (std::getline(lines, line)) out += (out.empty() ? "" : "\n" + std::string(column, ' ')) + line;
  return out;
}

}  // namespace

std::string fact_line(const std::string& name, const std::string& text, const ReportOptions& options) {
  return "  " + padded(name, name_width) + beside(2 + name_width, text, options) + "\n";
}

std::string gate_line(const std::string& name, GateState state, const std::string& text,
                      const ReportOptions& options) {
  const std::string start = "  " + padded(name, name_width);
  if (state == GateState::not_reached) return start + "not reached\n";
  const bool passed = state == GateState::passed;
  const std::string word = passed ? "passed" : "REFUSED";
  std::string out = start + coloured(word, passed ? "ok" : "failed", options);
  if (text.empty()) return out + "\n";
  out += std::string(state_width - word.size(), ' ');
  return out + beside(2 + name_width + state_width, text, options) + "\n";
}

std::string note_line(const std::string& label, const std::string& text, const ReportOptions& options) {
  if (text.empty()) return {};
  const std::size_t column = 2 + name_width + state_width;
  return std::string(column, ' ') + beside(column, label + ": " + text, options) + "\n";
}

std::string quoted_lines(const std::string& text, const ReportOptions& options) {
  std::istringstream lines(text);
  std::string out, line;
  while (std::getline(lines, line))
    out += "    | " + shortened(line, static_cast<std::size_t>(options.width) - 6) + "\n";
  return out;
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

std::string counted(long long count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace noctune
