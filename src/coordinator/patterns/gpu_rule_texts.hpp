// The same for the rules of CUDA and HIP sources.
#pragma once

#include <map>
#include <string>

#include "coordinator/patterns/rule_texts.hpp"

namespace noctune {

const std::map<std::string, RuleText>& gpu_rule_texts();

}  // namespace noctune
