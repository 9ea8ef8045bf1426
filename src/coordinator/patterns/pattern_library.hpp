// The library of patterns: a folder with one append-only file per run, which campaigns share without locks.
// A run writes whole lines to its own file and reads everybody's. Use it from one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "coordinator/patterns/pattern_state.hpp"

namespace noctune {

class PatternLibrary {
 public:
  // Reads the folder's files (*.jsonl). `run` names the file that this run writes, at its first addition; it
  // must be unique, for instance the run's UUID. Empty `run`: to read only, additions stay in memory. Empty
  // `folder`: in memory only. Fails when a folder that is only to be read does not exist.
  // `snapshot`: a file that keeps what was offered at a campaign's first start. Where it exists, offers start
  // from it instead of the folder, so that a resumed campaign offers what it offered before; else it is made.
  static Result<PatternLibrary> open(const std::filesystem::path& folder, const std::string& run,
                                     const std::filesystem::path& snapshot = {});

  // The name under which it is kept: its own, or with a suffix where another pattern of the same or a higher
  // revision has that name. A pattern that is known already is not written again.
  Result<std::string> add(Pattern pattern);
  Result<void> add(const PatternEvidence& evidence);
  Result<void> add_trial(const PatternTrial& trial);

  // From now on additions are written but change nothing here, so that what is offered stays the same.
  void freeze() { frozen_ = true; }
  bool frozen() const { return frozen_; }

  // By name, with the status that the evidence gives.
  std::vector<KnownPattern> patterns() const { return state_.patterns(); }
  // Lines that were left out, and files that could not be read.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  PatternLibrary(std::filesystem::path folder, std::string run)
      : folder_(std::move(folder)), run_(std::move(run)) {}
  Result<void> read_folder();
  Result<void> use_snapshot(const std::filesystem::path& file);
  Result<void> append(const std::string& line);

  std::filesystem::path folder_;
  std::string run_;
  Descriptor file_;
  bool torn_ = false;  // the last write ended within a line
  bool frozen_ = false;
  PatternState state_;  // what is offered
  PatternState named_;  // its texts and those added since the freeze: names that are taken
  std::vector<std::string> problems_;
};

}  // namespace noctune
