// What can be put right in a model's source without asking again.
#pragma once

#include <string>
#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

struct MendedSource {
  std::string source;
  std::vector<std::string> notes;  // one per mend, for people and records
};

// Characters of word processors, an included or repeated context, a stray main, `restrict`, linkage of the
// entry and of what belongs to it, a left-out scratch pointer. What is not understood stays as it is.
MendedSource mend_source(std::string source, const MepSpec& spec);

}  // namespace noctune
