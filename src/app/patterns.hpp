// The verb `patterns`: what a library folder or a results file has learnt.
#pragma once

#include "app/options.hpp"

namespace noctune {

int patterns(const Options& options);

}  // namespace noctune
