// A profile as rows of /profiles.
#pragma once

#include <string>
#include <vector>

#include "evaluator/profile/hints.hpp"
#include "model/evaluation.hpp"

namespace noctune {

// Every known fact, what the ceilings make of it, the class ("class:memory", its confidence), the hints
// with their bounds. Unknown facts have no row.
std::vector<ProfileMetric> profile_metrics(const ProfileFacts& facts, const Bottleneck& bottleneck,
                                           const std::vector<Hint>& hints);

}  // namespace noctune
