// Runs drivers as children of the sandbox helper: one alone, or two that pass a turn token.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/files.hpp"
#include "base/gpu_library.hpp"
#include "base/process.hpp"
#include "evaluator/confinement.hpp"
#include "evaluator/gpu_monitor.hpp"
#include "mep/driver_command.hpp"
#include "mep/driver_report.hpp"
#include "model/campaign.hpp"
#include "model/evaluation.hpp"

namespace noctune {

// A tool that starts the driver. One that may only ever see trusted code runs without a sandbox; a profiler
// keeps its restrictions, and its table, a file in the folder that it runs in, comes back.
struct DriverTool {
  std::vector<std::string> command = {};  // before the driver; empty = none
  bool confined = false;
  std::vector<std::string> folders = {};          // of the tool, for the sandbox
  std::map<std::string, std::string> files = {};  // that it finds in the folder that it runs in
  std::vector<std::string> table_ends = {};       // of the names of its tables: the first found comes back
};

struct DriverLimits {
  double seconds = 60;
  double memory_bytes = 0;
  double output_bytes = 1 << 20;
  std::vector<int> cpus;
  int threads = 1;
  std::vector<std::string> environment = {};  // beyond the usual
  DriverTool tool = {};
  std::optional<GpuInfo> gpu = {};  // the one that it sees
  bool reserves_memory = false;     // the driver has a sanitizer's runtime
};

// A timed pair that starts before its turn: its processes open the device and wait.
struct EarlyStart {
  Descriptor opening = {};                // held by both until they have opened the device
  std::function<Task<bool>()> turn = {};  // resumes when the device is theirs; false: it will not be
  double patience_s = 0;                  // a turn that comes later is not taken
};

// What a driver process left: how it ended and its report. The report's views point into `bytes`.
struct DriverRun {
  ChildOutcome outcome;
  std::shared_ptr<const std::string> bytes;
  Result<DriverReport> report = fail("the driver was not run");
  std::string table;     // of the tool that ran it
  bool no_room = false;  // for a complete report

  // ok, or the verdict that this end means for the candidate whose plugin was loaded, with a message for
  // people.
  Verdict verdict() const;
  std::string message() const;
};

class DriverRunner {
 public:
  // `scratch` receives a folder for every run; nothing stays in it.
  DriverRunner(ProcessHelper& helper, asio::thread_pool& threads, std::filesystem::path scratch,
               SandboxRules rules)
      : helper_(helper), threads_(threads), scratch_(std::move(scratch)), rules_(std::move(rules)) {}

  // What the views of a JudgeRun point to must outlive it.
  Task<DriverRun> run(std::filesystem::path driver, std::filesystem::path plugin, DriverWork work,
                      DriverLimits limits);

  struct Pair {
    DriverRun a, b;
    std::vector<GpuReading> readings = {};  // of the device meanwhile
    bool had_turn = true;                   // false: started early, and ended before its turn
  };
  // Both sides run `work` with their side, token pipes and plugin filled in; where `early` has no turn to
  // wait for, at once.
  Task<Pair> run_pair(std::filesystem::path driver, std::filesystem::path plugin_a,
                      std::filesystem::path plugin_b, TimeRun work, DriverLimits limits, EarlyStart early);

 private:
  struct Launch;
  struct Sides;
  Result<Launch> make_launch(const std::filesystem::path& driver, const std::filesystem::path& plugin,
                             DriverWork work, const DriverLimits& limits);
  Result<std::shared_ptr<Sides>> make_sides(const std::filesystem::path& driver,
                                            const std::filesystem::path& plugin_a,
                                            const std::filesystem::path& plugin_b, TimeRun work,
                                            DriverLimits limits, EarlyStart early);
  Task<ChildOutcome> run_side(std::shared_ptr<Sides> sides, char side);
  Task<bool> let_run(std::shared_ptr<Sides> sides);
  Task<Result<void>> hand_over(std::shared_ptr<Launch> launch, std::vector<std::string_view> outputs);
  Task<DriverRun> finish(std::shared_ptr<Launch> launch, ChildOutcome outcome);

  ProcessHelper& helper_;
  asio::thread_pool& threads_;
  std::filesystem::path scratch_;
  SandboxRules rules_;
};

}  // namespace noctune
