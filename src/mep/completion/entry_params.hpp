// The spec's parameters: type, role, count and contents of buffers, values of what is passed by value, a rule
// for every member of a struct; and symbols at file scope.
#pragma once

#include "base/error.hpp"
#include "mep/completion/completion_state.hpp"

namespace noctune {

// `literals`: values that a call of the kernel shows, by parameter.
Result<void> plan_params(CompletionState& state, const std::map<std::string, std::string>& literals);

// A type with aliases and missing macros put in and restrict taken out.
std::string plain_type(const CompletionState& state, const std::string& type);

}  // namespace noctune
