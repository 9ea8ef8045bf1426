// What a campaign found, as it is put into applications: for each hotspot the versions worth it, best first.
#pragma once

#include <string>
#include <vector>

#include "store/results_file.hpp"

namespace noctune {

struct TunedVersion {
  long long candidate = -1;
  std::string source;
  std::string flags;  // that it was measured with, beyond the campaign's
  double standalone = 0;
};

struct TunedHotspot {
  long long id = -1;
  std::string name, entry;
  std::string original;                // K(0)
  std::vector<TunedVersion> versions;  // confirmed faster than K(0); the campaign's winner first
};

Result<std::vector<TunedHotspot>> read_winners(const ResultsFile& results);

}  // namespace noctune
