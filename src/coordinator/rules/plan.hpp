// Which recipes to try next: openings that combine rules, then variations of the best one.
#pragma once

#include <string>
#include <vector>

#include "coordinator/rules/rule_book.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {

// Recipes that apply to the original, most promising first. They may have been tried before, or lead to a source
// that another recipe leads to as well; the caller drops those.
std::vector<std::string> plan(const Work& original, const std::string& best_recipe,
                              const std::vector<RuleOutcome>& tried);

}  // namespace noctune::rules
