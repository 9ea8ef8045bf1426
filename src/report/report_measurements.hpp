// The measured part of a results file: evaluations, ceilings, profiles and uses of patterns.
#pragma once

#include "report/report_data.hpp"

namespace noctune {

// Adds to `out`, whose candidates must have been read. Whole columns are read once: 100,000 evaluations take
// about a second.
Result<void> read_measurements(const ResultsFile& results, ReportData& out);

}  // namespace noctune
