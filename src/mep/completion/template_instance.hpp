// Which instance of a function template a MEP is made of: as launched, else by defaults and hints.
#pragma once

#include <string>
#include <vector>

#include "mep/completion/kernel_use.hpp"

namespace noctune {

// Fills use.templates; says in `assumed` what no launch and no default decides.
void choose_templates(const SourceFacts& facts, const SourceLaunch* launch, KernelUse& use,
                      std::vector<std::string>& assumed);
// A type of the function with the instance's arguments put in: "const T*" is "const float*".
std::string instance_of(const std::string& type, const KernelUse& use);
// "f", or "f<float, 256>".
std::string instance_name(const KernelUse& use);

}  // namespace noctune
