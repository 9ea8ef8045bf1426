// Kernels whose time is known in advance: the same outputs, a chosen number of sweeps.
#pragma once

#include <string>

#include "model/task.hpp"

namespace noctune::trust {

// K(0) with `planted` percent more sweeps than every candidate has, completed to a kernel of about
// `kernel_ms`; `flush_mb` as in a platform.
PrepareTask kernel_task(int planted, double kernel_ms, int repeats, double flush_mb);

// Faster than K(0) by the planted share, equal for 0. `number` makes it another binary without touching what
// runs: the flow would call the same machine code a duplicate.
Candidate kernel_candidate(int number);
Candidate kernel_original(const PrepareTask& task);

}  // namespace noctune::trust
