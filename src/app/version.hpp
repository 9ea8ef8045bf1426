// Which Noctune this is and what it was built with.
#pragma once

#include <string>

namespace noctune {

std::string version_number();
// Several lines: Noctune, compiler, MPI, HDF5, hwloc.
std::string version_text();

}  // namespace noctune
