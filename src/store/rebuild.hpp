// What `noctune rebuild` does: the results file again from its journal, outside a run.
#pragma once

#include <filesystem>

#include "store/results_builder.hpp"

namespace noctune {

// Refused while a live run holds the lease. With `prune` the journal goes once the verified file is in place;
// the campaign cannot be resumed afterwards.
Result<BuildFacts> rebuild_results(const std::filesystem::path& target, bool prune);

}  // namespace noctune
