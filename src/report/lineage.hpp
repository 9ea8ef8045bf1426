// How a version came about.
#pragma once

#include <string>
#include <vector>

#include "report/report_data.hpp"

namespace noctune {

// Null when there is none.
const ReportCandidate* find_candidate(const ReportData& data, long long id);
// The changes it is made of, else its mechanism, else who proposed it.
std::string change_text(const ReportCandidate& candidate);
// From the original to the candidate; a loop in damaged data ends it. Empty for an unknown candidate.
std::vector<const ReportCandidate*> lineage(const ReportData& data, long long id);

}  // namespace noctune
