// A kernel so small that nothing but the machinery can fail: what `doctor` builds, checks and times.
#pragma once

#include <string>

#include "model/mep_spec.hpp"

namespace noctune {

MepSpec hello_spec();
std::string hello_source();

}  // namespace noctune
