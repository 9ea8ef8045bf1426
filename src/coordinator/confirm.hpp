// The best versions of a search against K(0), each in fresh process pairs: the only numbers that are
// reported.
#pragma once

#include <vector>

#include "coordinator/arm_run.hpp"

namespace noctune {

// Complete confirmations, fastest first. One wrong result disqualifies a version.
Task<std::vector<Finalist>> confirm_best(ArmServices services, const ArmGround& ground,
                                         const std::vector<Attempt>& attempts);

}  // namespace noctune
