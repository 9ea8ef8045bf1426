// What `doctor` says of a campaign's model: where it is, how it is reached, whether a key was found. Sends no
// key and no prompt.
#pragma once

#include <string>
#include <vector>

#include "model/campaign.hpp"

namespace noctune {

struct ModelFinding {
  bool good = true;
  std::string what, found;
};

// Takes up to ten seconds where an endpoint does not answer.
std::vector<ModelFinding> check_model(const ModelSettings& settings);

}  // namespace noctune
