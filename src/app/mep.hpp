// `noctune mep`: completes, sizes and baselines the MEPs of a campaign without tuning, and writes them as
// files that a campaign can name.
#pragma once

#include "app/options.hpp"

namespace noctune {

// Exit code 0 when every MEP holds, 4 when none does, 1 when some were refused. Throws UserError for bad
// input.
int complete_meps(const Options& options);

}  // namespace noctune
