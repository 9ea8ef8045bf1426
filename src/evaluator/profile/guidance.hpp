// What a proposer is told about a profile: the class, what is near which ceiling, the best hints. Short.
#pragma once

#include <string>
#include <vector>

#include "evaluator/profile/hints.hpp"

namespace noctune {

// Lines without a heading; empty where nothing is known.
std::string guidance_text(const ProfileFacts& facts, const HintContext& context,
                          const std::vector<Hint>& hints);

}  // namespace noctune
