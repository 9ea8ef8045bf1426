// Orders what the plan offers by what strategies are believed to gain here.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/rules/step_list.hpp"

namespace noctune::rules {

// Believed effects, log ratios, by strategy.
using Priors = std::map<std::string, double>;

// The largest belief in any of the rules that the steps use; nothing where there is none.
std::optional<double> score_of_any(const Steps& steps, const std::vector<std::string>& rules,
                                   const Priors& priors);
// Of the strategies that `to` adds to `from`, less those that it removes; nothing where nothing is believed
// of any.
std::optional<double> score_of_change(const Steps& from, const Steps& to, const Priors& priors);

// Entries with a score change places among themselves, the highest first, equal ones in their order; those
// without keep their places.
template <class T>
std::vector<T> in_order_of(const std::vector<T>& list, const std::vector<std::optional<double>>& scores) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (scores[i]) places.push_back(i);
  std::vector<std::size_t> sorted = places;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::size_t a, std::size_t b) { return *scores[a] > *scores[b]; });
  std::vector<T> out = list;
  for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] = list[sorted[i]];
  return out;
}

}  // namespace noctune::rules
