// The verbs `report` and `export`: what a campaign found, for people and for programs.
#pragma once

#include "app/options.hpp"

namespace noctune {

// Each returns the exit code.
int report(const Options& options);
int export_result(const Options& options);

}  // namespace noctune
