// Which recipes to try next: openings that combine rules, then variations of the best one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "coordinator/rules/rule_book.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {

// Offers recipes that apply to the original, most promising first, until `take` returns false. They may have
// been tried before, or lead to a source that another recipe leads to as well; the taker drops those.
// `priors`: as in RuleBook::propose.
void plan(const Work& original, const std::string& best_recipe, const std::vector<RuleOutcome>& tried,
          const std::map<std::string, double>& priors, const std::function<bool(const std::string&)>& take);

}  // namespace noctune::rules
