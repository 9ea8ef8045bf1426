// The campaign that `noctune init` writes: every kernel of some sources as a hotspot, with what was
// understood and assumed as comments.
#pragma once

#include <string>
#include <vector>

#include "coordinator/load_hotspots.hpp"

namespace noctune {

struct StarterSource {
  std::string path;  // as the campaign is to name it
  std::string text;
};

struct StarterCampaign {
  std::string text;
  std::vector<std::string> hotspots;  // a line each, for people
};

// Fails where no source has a kernel.
Result<StarterCampaign> starter_campaign(const std::string& name, const std::vector<StarterSource>& sources,
                                         const Completer& completer = rules_completer());

}  // namespace noctune
