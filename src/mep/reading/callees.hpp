// What functions do with pointers that their callers hand them, told as accesses of the callers.
#pragma once

#include <vector>

#include "mep/reading/body_reader.hpp"

namespace noctune::reading {

// Adds to the callers' accesses; indices become the callers' own where they can be expressed by arguments.
void add_accesses_of_callees(SourceFacts& facts, const std::vector<PointerCall>& calls);

}  // namespace noctune::reading
