#include "coordinator/rules/template_text.hpp"

#include <cctype>
#include <sstream>

namespace noctune::rules {
namespace {

std::string fill_line(const std::string& line, const TemplateValues& values) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] != '$') {
      out += line[i++];
      continue;
    }
    std::size_t end = i + 1;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
      ++end;
    out += values.at(line.substr(i + 1, end - i - 1));
    i = end;
  }
  return out;
}

std::string indented(const std::string& text, std::size_t indent) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    out += (line.empty() || line[0] == '#' ? line : std::string(indent, ' ') + line) + "\n";
  return out;
}

}  // namespace

std::string fill_template(const std::string& text, const TemplateValues& values) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::string filled = indent == std::string::npos ? "" : fill_line(line.substr(indent), values);
    const bool dropped = filled.empty() && indent != std::string::npos;
    if (!dropped) out += filled.empty() ? "\n" : indented(filled, indent);
  }
  return out;
}

}  // namespace noctune::rules
