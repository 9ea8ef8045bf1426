// Comma-separated values as profilers write them: quoted fields, doubled quotes, thousands separators.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace noctune {

using CsvRecord = std::vector<std::string>;

// A table among lines of other output: from the first line that starts with `header`, in quotes or without.
// Lines below it that start with none of `row_starts` are passed over: banners, a program's own output, empty
// lines. A record that ends within quotes, lacks fields or has a bare last field without a line end was cut
// off: an error that names `what`.
struct CsvTable {
  CsvRecord header;
  std::vector<CsvRecord> records;  // each as long as the header
};
Result<CsvTable> read_csv_table(std::string_view text, std::string_view header, std::string_view row_starts,
                                const std::string& what);

// "22,310.13" -> 22310.13; also the number before instances in brackets, "12 (4; 8)". Nothing for an empty
// field, "n/a", "nan", "inf" and other words: unknown.
std::optional<double> csv_number(std::string_view field);

}  // namespace noctune
