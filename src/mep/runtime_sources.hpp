// The files of src/mep/runtime, embedded when Noctune is built.
#pragma once

#include <map>
#include <string>

namespace noctune {

const std::map<std::string, std::string>& runtime_sources();

}  // namespace noctune
