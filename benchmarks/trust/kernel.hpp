// Kernels whose time is known in advance: the same outputs, a chosen amount of work.
#pragma once

#include <string>

#include "evaluator/workbench.hpp"

namespace noctune::trust {

struct Kernel {
  std::string backend = "openmp";
  std::string kind = "compute";  // or "memory": limited by arithmetic, or by reading
  double ms = 1;                 // wanted time of one call
  long long n = 0;               // size that takes so long here, see sized()
};
std::string label(const Kernel& kernel);  // "memory 0.05 ms"

struct Measuring {
  int repeats = 30;
  double flush_mb = -1;  // as platform.flush_mb
};

// K(0) with `planted` percent more work than every candidate has. Calls below 0.1 ms are batched.
PrepareTask kernel_task(const Kernel& kernel, int planted, const Measuring& measuring);

// Faster than K(0) by the planted share, equal for 0. `number` makes it another binary without touching what
// runs: the flow would call the same machine code a duplicate.
Candidate kernel_candidate(const Kernel& kernel, int number);
Candidate kernel_original(const PrepareTask& task);

// With the size at which a call takes about the wanted time, as experiments time it; or why there is none.
Task<Result<Kernel>> sized(Bench& bench, Kernel kernel, Measuring measuring);

}  // namespace noctune::trust
