// The live line under a run's events: what is done, how fast, and what is left of time and money.
#pragma once

#include <string>

#include "coordinator/observer.hpp"

namespace noctune {

// `seconds`: since this run began. Time left is told once there is a rate, and is a bound for searches that
// go through all their rounds; confirmations and repairs come on top.
std::string status_text(const RunProgress& progress, double seconds);

}  // namespace noctune
