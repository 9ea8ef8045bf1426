// Which functions of a source belong together as one hotspot.
#pragma once

#include <string>
#include <vector>

#include "model/source_facts.hpp"

namespace noctune {

// Names of functions, in order of launch: a C function is a hotspot by itself, kernels that one host function
// launches are one, any other kernel is one. Empty where the source has no kernel.
std::vector<std::vector<std::string>> kernel_groups(const SourceFacts& facts);

}  // namespace noctune
