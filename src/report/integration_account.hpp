// What became of winners inside their application: one attempt for the terminal, and all of them beside what
// they gained alone.
#pragma once

#include <string>

#include "report/report.hpp"
#include "report/report_data.hpp"

namespace noctune {

// A few lines. `patch`: the file that was written; empty = none.
std::string integration_account(const ReportPlacement& placement, const std::string& patch);

// The report's section, of the latest run for each application and hotspot; empty where nothing was put back.
std::string integration_text(const ReportData& data, const ReportOptions& options);

}  // namespace noctune
