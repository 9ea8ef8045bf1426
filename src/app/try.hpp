// `noctune try`: a person's own version of one hotspot through the gates that candidates go through.
#pragma once

#include "app/options.hpp"

namespace noctune {

// Exit code 0 when the version passed every gate, faster or not; 1 when one refused it.
int try_version(const Options& options);

}  // namespace noctune
