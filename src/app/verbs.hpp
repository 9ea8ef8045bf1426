// The small verbs. Each returns the exit code.
#pragma once

#include "app/options.hpp"

namespace noctune {

int rebuild(const Options& options);
int doctor(const Options& options);

}  // namespace noctune
