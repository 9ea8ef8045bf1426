// What can be said about a MEP before anything is built: sizes, counts, the entry's signature.
#pragma once

#include <string>

#include "base/error.hpp"
#include "model/mep_draft.hpp"
#include "model/task.hpp"

namespace noctune {

// Every case at its declared sizes: counts that are negative or endless show here. `place` begins messages.
Result<void> check_cases(const MepSpec& spec, const std::string& place);

// The entry as `mep.original` defines it against the spec. Parses the source in this process: only for texts
// of the user.
Result<void> check_signature(const MepSource& mep, const std::string& source, const std::string& spec_name);

// K(0) with the entry behind the kernels, which a spec with a sequence, globals or a template asks for. A
// source that holds that text already stays as it is.
Result<std::string> with_entry_once(const MepSpec& spec, const std::string& source);

// The draft's K(0) less the entry that with_entry_once() would put behind it.
std::string without_entry(const MepDraft& draft);

// The draft as evaluators build it: entry made, prototype declared, cases checked. Flags and libraries are
// the caller's.
Result<MepSource> lowered(const MepDraft& draft, const std::string& hotspot, const std::string& backend);

}  // namespace noctune
