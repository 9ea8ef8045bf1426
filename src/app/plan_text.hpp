// What `--dry-run` and the start of a run print: the resolved plan, the pinning map, a forecast.
#pragma once

#include <string>
#include <vector>

#include "coordinator/load_hotspots.hpp"

namespace noctune {

std::string plan_text(const Campaign& campaign, const std::vector<LoadedHotspot>& hotspots);
std::string pinning_text(const std::vector<DeviceFacts>& devices);

// Counts and hours of the worst case: every round is run and every candidate passes all gates. Seconds per
// step are guesses until a campaign has run; the text says so.
std::string forecast_text(const Campaign& campaign, const std::vector<LoadedHotspot>& hotspots,
                          int evaluators);

}  // namespace noctune
