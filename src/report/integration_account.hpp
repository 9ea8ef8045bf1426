// What became of winners inside their application, for the terminal.
#pragma once

#include <string>

namespace noctune {

struct IntegrationRow {
  std::string application, hotspots, rule, used, use_reason, verdict, reason;
  long long candidate = -1, pairs = 0;
  double standalone = 0, ceiling = 0, speedup = 0, low = 0, high = 0;  // 0 or not a number: not known
};

// A few lines. `patch`: the file that was written; empty = none.
std::string integration_account(const IntegrationRow& row, const std::string& patch);

}  // namespace noctune
