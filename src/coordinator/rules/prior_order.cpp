#include "coordinator/rules/prior_order.hpp"

namespace noctune::rules {
namespace {

std::optional<double> prior_of(const std::string& rule, const Priors& priors) {
  const auto found = priors.find(find_rule(rule)->strategy);
  return found == priors.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::string, int> counts_of(const Steps& steps) {
  std::map<std::string, int> counts;
  for (const Step& step : steps) ++counts[step.rule];
  return counts;
}

}  // namespace

std::optional<double> score_of_any(const Steps& steps, const std::vector<std::string>& rules,
                                   const Priors& priors) {
  std::optional<double> best;
  for (const std::string& rule : rules)
    if (const auto prior = prior_of(rule, priors); prior && uses(steps, rule))
      best = std::max(best.value_or(*prior), *prior);
  return best;
}

std::optional<double> score_of_change(const Steps& from, const Steps& to, const Priors& priors) {
  std::map<std::string, int> change = counts_of(to);
  for (const auto& [rule, count] : counts_of(from)) change[rule] -= count;
  std::optional<double> score;
  for (const auto& [rule, count] : change)
    if (const auto prior = prior_of(rule, priors); prior && count != 0)
      score = score.value_or(0) + (count > 0 ? *prior : -*prior);
  return score;
}

}  // namespace noctune::rules
