// The counters that one ncu call collects: valid on all chips from GV100 to GB202, 7 to 13 replay passes.
#pragma once

#include <string>
#include <vector>

namespace noctune {

enum class NcuGroup { base, compute, access, stalls, other, launch };

struct NcuMetric {
  const char* name;
  NcuGroup group;
};
// 51 counters of the chip and six facts of the launch.
const std::vector<NcuMetric>& ncu_metrics();
std::vector<std::string> ncu_metric_names();

}  // namespace noctune
