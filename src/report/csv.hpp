// Every table of a results file as a CSV file (RFC 4180, one header line, a dot as decimal sign), and the
// numbers of the report's first screen as summary.csv.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/report_data.hpp"

namespace noctune {

struct CsvFiles {
  std::vector<std::string> names;  // in order of the schema, then summary.csv
  long long rows = 0;              // of all of them
};

// Makes the folder. Numbers are written so that they read back as the same; unknown ones are empty. Files
// that stand there under these names are replaced, others are left alone. Stored texts stay in the HDF5 file.
Result<CsvFiles> write_csv(const ResultsFile& results, const ReportData& data,
                           const std::filesystem::path& folder);

// One cell: quoted where it holds a comma, a quote or a line break.
std::string csv_cell(const std::string& text);

}  // namespace noctune
