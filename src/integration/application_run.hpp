// Builds, runs and verifies one copy of the application by the user's own commands.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/async.hpp"
#include "base/process.hpp"
#include "integration/metric.hpp"
#include "model/application.hpp"

namespace noctune {

enum class StepVerdict { ok, build_failed, run_failed, run_timeout, not_verified, no_metric, lost };

// One command, or one run with its verification.
struct StepOutcome {
  StepVerdict verdict = StepVerdict::ok;
  std::string reason;  // one line; empty when all is well
  std::string output;
  double seconds = 0;  // of the run
  double metric = 0;

  bool ok() const { return verdict == StepVerdict::ok; }
};

// What a run under a profiler told.
struct FunctionProfile {
  std::string profiler;                   // its program; empty: none is there
  std::map<std::string, double> seconds;  // by function
  std::string reason;                     // why there are none
};

// A copy of the application. Commands are the user's: no confinement, but a process tree of their own that
// ends with its deadline, bounded output, and the environment less keys. They start in the copy's folder.
class ApplicationRun {
 public:
  ApplicationRun(ProcessHelper& helper, const ApplicationConfig& config, std::filesystem::path folder)
      : helper_(helper), config_(config), folder_(std::move(folder)) {}

  // `flags`: the compiler's, that the version in this copy was tuned with; the build command finds them in
  // NOCTUNE_FLAGS.
  Task<StepOutcome> build(std::string flags = {});
  // Runs and verifies once. `run_s` replaces the configured deadline where above 0.
  Task<StepOutcome> run(double run_s = 0);
  // Once more under a profiler for this backend; its results are not looked at.
  Task<FunctionProfile> profile(std::string backend);

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::string run_command() const;
  Task<ChildOutcome> command(std::string text, double deadline_s, std::string flags = {});

  ProcessHelper& helper_;
  const ApplicationConfig& config_;
  std::filesystem::path folder_;
};

}  // namespace noctune
