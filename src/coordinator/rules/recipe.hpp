// Recipes as text: steps separated by ';', each "rule", "rule@loop" or "rule(key=value,key=value)".
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {

Result<std::vector<Step>> parse_recipe(const std::string& recipe);
std::string to_text(const Step& step);
std::string to_text(const std::vector<Step>& steps);

}  // namespace noctune::rules
