// The parts of the HTML report that are words and tables.
#pragma once

#include <string>

#include "report/report_data.hpp"

namespace noctune {

std::string head_section(const ReportData& data);      // campaign, totals in cards
std::string hotspots_section(const ReportData& data);  // the table
std::string failures_section(const ReportData& data);  // causes, and what repair mended
std::string cost_section(const ReportData& data);      // arms and model calls; empty without a model and arms
std::string patterns_section(const ReportData& data);  // empty where none was used
// The coloured diff of each winner against the original.
Result<std::string> diffs_section(const ResultsFile& results, const ReportData& data);

}  // namespace noctune
