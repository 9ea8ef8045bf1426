// Results as T4 JSON, the FAIR autotuning results format (schema 1.0.0 of github.com/odgaard/TuningSchema),
// for tools that compare tuners. One entry for each candidate that was evaluated.
#pragma once

#include <string>

#include "report/report_data.hpp"

namespace noctune {

// Times are milliseconds there. A candidate's configuration is its tunable parameters, and beside them its
// hotspot and its number, which tell versions apart that differ in their source.
Result<std::string> t4_text(const ResultsFile& results, const ReportData& data);

}  // namespace noctune
