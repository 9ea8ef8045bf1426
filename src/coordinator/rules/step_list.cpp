#include "coordinator/rules/step_list.hpp"

#include <algorithm>

#include "coordinator/rules/recipe.hpp"

namespace noctune::rules {

Steps steps_of(const std::string& recipe) {
  const auto steps = parse_recipe(recipe);
  return steps ? *steps : Steps{};
}

bool uses(const Steps& steps, const std::string& rule) {
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.rule == rule; });
}

Steps with_params(Steps steps, const std::string& rule, const std::map<std::string, std::string>& params) {
  for (Step& step : steps)
    if (step.rule == rule)
      for (const auto& [key, value] : params) step.params[key] = value;
  return steps;
}

Steps without(Steps steps, const std::string& rule) {
  steps.erase(std::remove_if(steps.begin(), steps.end(), [&](const Step& step) { return step.rule == rule; }),
              steps.end());
  return steps;
}

Steps with(Steps steps, const std::string& step, const std::vector<std::string>& before) {
  const auto place = std::find_if(steps.begin(), steps.end(), [&](const Step& other) {
    return std::find(before.begin(), before.end(), other.rule) != before.end();
  });
  steps.insert(place, steps_of(step).front());
  return steps;
}

}  // namespace noctune::rules
