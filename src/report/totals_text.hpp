// The campaign's result in a few lines: how many hotspots ended how, by what factor, the best and the worst.
#pragma once

#include <string>

#include "report/report.hpp"
#include "report/report_data.hpp"

namespace noctune {

std::string totals_text(const ReportData& data, const ReportOptions& options);

// The state of a campaign that runs, in one line without a line break.
std::string progress_line(const ReportData& data);

}  // namespace noctune
