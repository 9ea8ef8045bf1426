#include "integration/metric.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <sstream>
#include <vector>

#include "base/files.hpp"
#include "base/hdf5_array.hpp"

namespace noctune {
namespace {

constexpr const char* problem = "the figure of merit cannot be read";
// The library's matcher recurses with the length of what it matches.
constexpr std::size_t longest_line = 4096;

Result<double> number_in(const std::string& text, const std::string& where) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str())
    return fail(problem, where + " is \"" + text.substr(0, 60) + "\", which is no number");
  if (!std::isfinite(value) || value <= 0)
    return fail(problem, where + " is " + text.substr(0, 60) + ", but must be above 0 to make a ratio");
  return value;
}

Result<double> from_output(const MetricConfig& metric, const std::string& output) {
  const std::regex pattern(metric.pattern);
  std::istringstream lines(output);
  std::string found;
  bool any = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > longest_line) line.resize(longest_line);
    std::smatch match;
    if (!std::regex_search(line, match, pattern)) continue;
    found = match[1].str();
    any = true;
  }
  if (!any)
    return fail(problem, "no line of the output matches the pattern \"" + metric.pattern + "\"",
                "the output begins: " + output.substr(0, 200));
  return number_in(found, "what the pattern finds");
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream parts(line);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t from = part.find_first_not_of(" \t\r\""), to = part.find_last_not_of(" \t\r\"");
    out.push_back(from == std::string::npos ? "" : part.substr(from, to - from + 1));
  }
  return out;
}

Result<double> from_csv(const MetricConfig& metric, const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return Failure(text.error());
  std::istringstream lines(*text);
  std::string line, last;
  std::getline(lines, line);
  const std::vector<std::string> heading = cells(line);
  std::size_t column = 0;
  while (column < heading.size() && heading[column] != metric.column) ++column;
  if (column == heading.size())
    return fail(problem, metric.file + " has no column \"" + metric.column + "\"",
                "its first line is: " + line);
  while (std::getline(lines, line))
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  const std::vector<std::string> row = cells(last);
  if (column >= row.size()) return fail(problem, metric.file + " has no value in its last row");
  return number_in(row[column], metric.column);
}

Result<double> from_hdf5(const MetricConfig& metric, const std::filesystem::path& file) {
  const Result<std::string> bytes = read_hdf5_array(file, metric.dataset, "f64");
  if (!bytes) return Failure(bytes.error());
  if (bytes->size() < sizeof(double)) return fail(problem, metric.dataset + " is empty");
  double value = 0;
  std::memcpy(&value, bytes->data() + bytes->size() - sizeof value, sizeof value);
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return number_in(digits, metric.dataset);
}

}  // namespace

Result<double> read_metric(const MetricConfig& metric, const RunTraces& run) {
  if (metric.from == "output") return from_output(metric, run.output);
  if (metric.from == "csv") return from_csv(metric, run.folder / metric.file);
  if (metric.from == "hdf5") return from_hdf5(metric, run.folder / metric.file);
  if (!(run.seconds > 0)) return fail(problem, "the run took no time");
  return run.seconds;
}

}  // namespace noctune
