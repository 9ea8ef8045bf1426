// What baselining found about a hotspot, as text: sizes, noise, tolerances with their reasons, and which gain
// would count as real.
#pragma once

#include <string>

#include "model/task.hpp"
#include "report/report.hpp"

namespace noctune {

struct HotspotAccount {
  PrepareTask setup;
  Baselined baselined;
  std::string device;  // where it was measured: processors, compiler
};

std::string hotspot_account(const HotspotAccount& hotspot, const ReportOptions& options);

}  // namespace noctune
