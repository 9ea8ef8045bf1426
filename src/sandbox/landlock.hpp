// Landlock, the kernel's file and signal restrictions for ordinary processes (Linux 5.13).
#pragma once

#include <string>

#include "base/confinement.hpp"

namespace noctune {

// The version the kernel offers, or -errno.
int landlock_version();

// Applies `files` and `outreach` of it to the calling thread for good. Needs no_new_privs or root. Empty when
// done, else what failed.
std::string apply_landlock(const Confinement& confinement);

}  // namespace noctune
