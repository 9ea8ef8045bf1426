// Sizes every case of a MEP on this device, by probes of K(0) (mep/sizing.hpp decides).
#pragma once

#include <memory>

#include "evaluator/original_run.hpp"
#include "evaluator/workbench.hpp"

namespace noctune {

struct CasesSized {
  Step refused;
  MepReport report;  // with cases, times and sizes
};

// `report` has its seeds. Cases for checking come first: they are small, and show most of what can go wrong.
Task<CasesSized> size_cases(std::shared_ptr<Workbench> bench, MepReport report,
                            double last_level_cache_bytes);

}  // namespace noctune
