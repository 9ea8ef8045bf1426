// A filter on system calls, which ordinary processes may put on themselves (Linux 3.5).
#pragma once

#include <string>

#include "base/confinement.hpp"

namespace noctune {

// Applies the filter to the calling process for good; its children inherit it. Needs no_new_privs or root.
// Call it in the process that the filter is for: the candidates' filter knows the pid to which signals are
// allowed. Empty when done, else what failed.
std::string apply_call_filter(CallFilter filter);

// errno of trying the candidates' filter on the calling process, 0 when it is in force.
int try_call_filter();

}  // namespace noctune
