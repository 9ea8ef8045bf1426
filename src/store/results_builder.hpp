// Makes the HDF5 results file from a campaign's journals: temporary file, verified, renamed over the target.
// Safe while a run appends to the journal (it takes what is there). A target that is not this campaign's is
// refused.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

struct BuildFacts {
  std::map<std::string, long long> rows;  // by table
  long long records = 0, runs = 0;
  long long torn_tails = 0, duplicates = 0, fenced = 0;  // journal lines left out for a harmless reason
  std::vector<std::string>
      problems;  // journal lines left out that should have been readable: "file:line: why"
  double seconds = 0;
};

// `open_status`: what to call the last run while it has not said how it ended ("running", "interrupted").
Result<BuildFacts> build_results(const std::filesystem::path& journal_folder,
                                 const std::filesystem::path& target,
                                 const std::string& open_status = "running");

// Whether the target may be written for this campaign (UUID of its first run; empty for a new one).
Result<void> check_target(const std::filesystem::path& target, const std::string& campaign_uuid);

}  // namespace noctune
