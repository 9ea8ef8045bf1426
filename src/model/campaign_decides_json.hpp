// Which settings decide what is measured and what its verdicts mean: results made under others do not belong
// in one file. All else, such as rounds, candidates, budgets or the model, may change between a stop and its
// resume.
#pragma once

#include <map>
#include <string>

#include "model/campaign.hpp"

namespace noctune {

// From a key as --set names it to its value as JSON.
using Decisive = std::map<std::string, std::string>;

Decisive decisive_settings(const Campaign& campaign);

// A line for each key whose value differs, "search.repeats: 30 before, 15 now". A key that only one side has
// is no difference: a hotspot may join a campaign or leave it.
std::string differences(const Decisive& before, const Decisive& now);

}  // namespace noctune
