// What a child gives up for good before it executes untrusted code.
#pragma once

#include <string>

#include "base/process_types.hpp"

namespace noctune {

// Called in the child after its descriptors, limits and folder are set and right before exec. Empty when
// done, else what failed. The one place for file and system-call restrictions.
std::string restrict_child(const ChildRequest& request);

// Tries every restriction once, in a process made for it.
SandboxSupport find_support();

}  // namespace noctune
