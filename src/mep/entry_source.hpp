// The entry's source, made from a spec with a host schedule: loops over launches, chosen instances, symbols
// set up.
#pragma once

#include <string>

#include "base/error.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

// Text to be put behind the kernels: <entry>, and <entry>_setup where the spec has globals. The spec's
// backend decides between calls ("openmp") and launches on the stream ("cuda", "hip"). Empty where the spec
// has no sequence; its source then defines both itself. The globals must be lowered (model/mep_globals.hpp).
Result<std::string> entry_source(const MepSpec& spec);

// A source with that text behind it.
Result<std::string> with_entry(const std::string& source, const MepSpec& spec);

}  // namespace noctune
