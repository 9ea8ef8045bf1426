// What was tried, a line each, for prompts.
#pragma once

#include <string>
#include <vector>

#include "coordinator/services.hpp"

namespace noctune {

// Versions are called "#1", "#2", ... in the order of the history, K(0) "the original". What does not fit
// into `bytes` is left out, the best and the most telling failures kept. Our own faults are not listed.
std::string ledger_text(const std::vector<Attempt>& history, std::size_t bytes = 6000);

// "#3", or "the original" for a version that the history does not hold.
std::string version_name(const std::vector<Attempt>& history, long long candidate);
const Attempt* find_attempt(const std::vector<Attempt>& history, long long candidate);

// Attempts that were faster than their base by more than the noise.
std::size_t count_wins(const std::vector<Attempt>& history);
bool is_win(const Attempt& attempt);

}  // namespace noctune
