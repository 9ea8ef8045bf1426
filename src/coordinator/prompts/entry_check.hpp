// Whether a source defines what the driver will call.
#pragma once

#include <optional>
#include <string>

#include "base/error.hpp"
#include "coordinator/prompts/source_outline.hpp"
#include "model/task.hpp"

namespace noctune {

// The reason, in words a model can act on, why `source` does not define the entry with the spec's signature;
// nothing where it does, or where types are used that cannot be understood here: the compiler will tell.
// Only the parameter list and aliases reach the parser, never the whole of an untrusted text.
std::optional<Error> entry_objection(const std::string& source, const Outline& outline, const MepSource& mep);

}  // namespace noctune
