// Values for what a kernel takes by value and no size decides: physics by name, switches, offsets.
#pragma once

#include <string>

namespace noctune {

// "0.01" for dt, "1.25" for alpha, "0.5" where the name says nothing.
std::string real_by_name(const std::string& name);
// "1" for flags and shifts, "3" for a radius.
std::string whole_by_name(const std::string& name);
// A size that stays as small as it is in practice: 3 components, 10 steps. 0 where the name says no such
// thing.
long long small_size_by_name(const std::string& name);

}  // namespace noctune
