#include "report/lineage.hpp"

#include <algorithm>
#include <set>

namespace noctune {

const ReportCandidate* find_candidate(const ReportData& data, long long id) {
  const auto found = data.candidates.find(id);
  return found == data.candidates.end() ? nullptr : &found->second;
}

std::string change_text(const ReportCandidate& candidate) {
  if (!candidate.strategies.empty()) return candidate.strategies;
  if (!candidate.kind.empty()) return candidate.kind;
  return candidate.proposer.empty() ? "-" : candidate.proposer;
}

std::vector<const ReportCandidate*> lineage(const ReportData& data, long long id) {
  std::vector<const ReportCandidate*> steps;
  std::set<long long> seen;
  for (const ReportCandidate* at = find_candidate(data, id); at && seen.insert(at->id).second;
       at = find_candidate(data, at->base))
    steps.push_back(at);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace noctune
