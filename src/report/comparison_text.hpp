// What changed between two campaigns: another machine, another model, another night.
#pragma once

#include <string>

#include "report/report.hpp"
#include "report/report_data.hpp"

namespace noctune {

// Hotspots are matched by name. Where both are faster, intervals that do not overlap count as a difference.
// The times of the originals tell whether the machines can be compared at all.
std::string comparison_text(const ReportData& before, const ReportData& after, const ReportOptions& options);

}  // namespace noctune
