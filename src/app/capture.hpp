// The verb capture: packs what an application recorded, and writes starter specs from it.
#pragma once

#include "app/options.hpp"

namespace noctune {

int capture(const Options& options);

}  // namespace noctune
