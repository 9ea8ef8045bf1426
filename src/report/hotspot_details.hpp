// What the report says about one hotspot: a few lines in the overview, a page on request.
#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/report_data.hpp"

namespace noctune {

// What won, what stopped it, and how many candidates ended how.
std::vector<std::string> hotspot_notes(const ReportData& data, const ReportHotspot& hotspot);

// The page for options.hotspot; an unknown name is an error that lists the known ones.
Result<std::string> render_hotspot(const ReportData& data, const ReportOptions& options);

}  // namespace noctune
