// Symbols at file scope as parameters, so that they are made, checked and shown like those.
#pragma once

#include "model/mep_spec.hpp"

namespace noctune {

// Appends to the parameters one for each of spec.globals, named after the symbol: by value where the symbol
// has a value or members, else a pointer to its contents. `setup` becomes true: <entry>_setup copies them
// into the symbols. Does nothing for those that are parameters already.
void lower_globals(MepSpec& spec);

bool is_global(const MepSpec& spec, const std::string& name);

}  // namespace noctune
