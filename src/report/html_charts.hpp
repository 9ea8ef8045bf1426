// The charts of the HTML report; an empty text where a chart would have nothing to show.
#pragma once

#include <string>

#include "report/report_data.hpp"

namespace noctune {

// A bar for each hotspot with its interval, and a mark for each arm.
std::string speedup_chart(const ReportData& data);
// Speed-up in the program alone against that inside the application.
std::string integration_chart(const ReportData& data);
// Best version so far by round: a line for each hotspot, and their geometric mean.
std::string convergence_chart(const ReportData& data);
// Originals and winners below the measured ceilings of the first device that has some (Williams, Waterman and
// Patterson 2009).
std::string roofline_chart(const ReportData& data);
// What every device did when.
std::string timeline_chart(const ReportData& data);

}  // namespace noctune
