// Lists of steps, and how the plan varies them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "coordinator/rules/rules.hpp"

namespace noctune::rules {

using Steps = std::vector<Step>;

Steps steps_of(const std::string& recipe);  // empty where it is malformed
bool uses(const Steps& steps, const std::string& rule);
Steps with_params(Steps steps, const std::string& rule, const std::map<std::string, std::string>& params);
Steps without(Steps steps, const std::string& rule);
// Puts the step in front of the first of the rules `before`, else at the end.
Steps with(Steps steps, const std::string& step, const std::vector<std::string>& before);

}  // namespace noctune::rules
