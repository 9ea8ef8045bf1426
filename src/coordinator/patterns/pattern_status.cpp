#include "coordinator/patterns/pattern_status.hpp"

#include <set>

namespace noctune {

PatternStatus status_from(PatternStatus written, const std::string& drafted_on,
                          const std::vector<PatternEvidence>& evidence) {
  if (written == PatternStatus::retired) return written;
  int gains = 0, failures = 0;
  std::set<std::string> gained_on, failed_on;
  for (const PatternEvidence& one : evidence) {
    (one.gain ? gains : failures) += 1;
    (one.gain ? gained_on : failed_on).insert(one.hotspot);
  }
  if (failures >= failures_per_gain * (gains + 1) &&
      failed_on.size() >= static_cast<std::size_t>(hotspots_to_retire))
    return PatternStatus::retired;
  if (written == PatternStatus::admitted) return written;
  gained_on.erase(drafted_on);
  const std::size_t needed = drafted_on.empty() ? 2 : 1;
  return gained_on.size() >= needed ? PatternStatus::admitted : PatternStatus::draft;
}

}  // namespace noctune
