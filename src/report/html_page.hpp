// The report as one HTML file: no scripts, no network, charts as SVG, light and dark by the reader's setting,
// readable on a phone and on paper.
#pragma once

#include <string>

#include "report/report_data.hpp"

namespace noctune {

// At most a few megabytes, whatever the campaign's size: long diffs and tables are cut, and say so.
Result<std::string> html_report(const ResultsFile& results, const ReportData& data);

}  // namespace noctune
