#include "evaluator/profile/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace noctune {
namespace {

constexpr std::size_t most_fields = 1 << 14, most_records = 1 << 16;

bool at_line_start(std::string_view text, std::size_t at) {
  return at == 0 || text[at - 1] == '\n';
}

// The start of the header's line.
std::optional<std::size_t> find_header(std::string_view text, std::string_view start) {
  for (std::size_t at = text.find(start); at != std::string_view::npos; at = text.find(start, at + 1)) {
    if (at_line_start(text, at)) return at;
    if (text[at - 1] == '"' && at_line_start(text, at - 1)) return at - 1;
  }
  return {};
}

// Reads records one after the other; `whole` is false once one ended within quotes or at the text's end.
class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool whole() const { return whole_; }
  std::string_view rest() const { return rest_; }
  void pass_line() { rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1); }

  CsvRecord record() {
    CsvRecord out;
    do out.push_back(field());
    while (take(',') && out.size() < most_fields);
    take('\r');
    if (!rest_.empty() && !take('\n')) pass_line();
    return out;
  }

 private:
  bool take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string field() { return take('"') ? quoted() : bare(); }

  std::string bare() {
    const std::size_t end = std::min(rest_.find_first_of(",\r\n"), rest_.size());
    if (end == rest_.size()) whole_ = false;
    std::string out(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return out;
  }

  std::string quoted() {
    std::string out;
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) break;
      out += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!take('"')) return out;
      out += '"';
    }
    whole_ = false;
    out += rest_;
    rest_ = {};
    return out;
  }

  std::string_view rest_;
  bool whole_ = true;
};

Failure cut_off(const std::string& what, std::size_t records) {
  return fail(what + " is cut off", "record " + std::to_string(records + 1) + " has no end",
              "the profiler was probably stopped by its time limit; profile again with more time");
}

}  // namespace

Result<CsvTable> read_csv_table(std::string_view text, std::string_view header, std::string_view row_starts,
                                const std::string& what) {
  const auto start = find_header(text, header);
  if (!start)
    return fail(what + " holds no table", "no line starts with " + std::string(header),
                "the profiler wrote nothing; its other output says why");
  CsvScanner scan(text.substr(*start));
  CsvTable out;
  out.header = scan.record();
  if (!scan.whole()) return cut_off(what, 0);
  while (!scan.done()) {
    if (row_starts.find(scan.rest().front()) == std::string_view::npos) {
      scan.pass_line();
      continue;
    }
    if (out.records.size() == most_records)
      return fail(what + " is too long", "it has more than " + std::to_string(most_records) + " records",
                  "profile fewer launches");
    CsvRecord record = scan.record();
    if (!scan.whole() || record.size() < out.header.size()) return cut_off(what, out.records.size());
    record.resize(out.header.size());
    if (record != out.header) out.records.push_back(std::move(record));
  }
  return out;
}

std::optional<double> csv_number(std::string_view field) {
  std::string digits;
  for (const char c : field.substr(0, field.find(" (")))
    if (c != ',' && c != ' ') digits += c;
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return {};
  return value;
}

}  // namespace noctune
