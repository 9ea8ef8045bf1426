// Turns a campaign's hotspots into complete tasks: texts read, specs parsed, signatures compared.
#pragma once

#include <vector>

#include "model/campaign.hpp"
#include "model/task.hpp"

namespace noctune {

// Throws UserError that names the hotspot's file, the problem and the remedy; nothing has been run by then.
std::vector<PrepareTask> load_hotspots(const Campaign& campaign);

// K(0) as the candidate that others are raced against.
Candidate original_of(const PrepareTask& task);

}  // namespace noctune
