// Decides conditions of #if as far as the known macros go.
#pragma once

#include <optional>
#include <string>

#include "mep/reading/prepare.hpp"

namespace noctune::reading {

// Nothing where the condition depends on the value of a macro that nobody has defined.
std::optional<bool> condition_holds(const std::string& condition, const Macros& macros);
bool is_defined(const std::string& name, const Macros& macros);

}  // namespace noctune::reading
