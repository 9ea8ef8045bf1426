// One MEP on one rank: its driver and K(0)'s plugin built, its cases resolved, K(0)'s outputs at hand.
// Reference outputs live in this process's memory only and never enter one that runs candidate code.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "evaluator/activity.hpp"
#include "evaluator/builder.hpp"
#include "evaluator/checking.hpp"
#include "evaluator/driver_run.hpp"
#include "evaluator/gpu_lock.hpp"
#include "evaluator/gpu_monitor.hpp"
#include "evaluator/node_token.hpp"
#include "model/task.hpp"

namespace noctune {

// What every step of an evaluation needs on this rank.
struct Bench {
  asio::io_context& io;
  asio::thread_pool& threads;  // comparisons and reports
  ProcessHelper& helper;
  NodeToken& token;
  AsyncMutex& measuring;  // one measurement at a time on this rank
  DeviceFacts device;
  std::filesystem::path scratch;
  Activity activity = {};
  std::filesystem::path driver_runtime = {};  // made once per rank, linked into every MEP's driver
  bool runtime_is_kept = false;               // it was compiled in an earlier run
  int workbenches = 0;                        // made so far: each has a folder of its own
  SandboxLevel sandbox = {};                  // of what is built and run from now on
  std::optional<GpuLock> gpu_lock = {};       // of this rank's GPU, where it has one
  std::function<GpuState()> gpu_state = {};   // of the same; empty where nobody tells
  AsyncMutex starting{io};                    // one timed pair at a time starts before its turn
  std::string no_counters = {};               // why this GPU's profiler is not asked any more; empty = it is
  bool stopping = false;                      // nothing new is started; what waits for its turn ends as lost
};

class Workbench {
 public:
  Workbench(Bench& bench, PrepareTask task);

  // Builds K(0), the driver and the user's check. Returns the failing build, its message with what failed, or
  // the driver's.
  Task<Built> build();
  // Takes over what sizing chose, on whichever rank, and resolves its cases.
  Result<void> adopt(const MepReport& report);
  // Runs K(0) through the check plan and keeps its outputs; does nothing when that has been done.
  Task<DriverRun> reference();
  // Its outputs from a build in double precision; nothing where there is no such build, or it does not run.
  Task<std::shared_ptr<const DoubleReference>> precise_reference();
  // The call whose outputs came back from inside a timed sample of case `index`.
  CheckItem verified_item(std::size_t index, const VerifiedOutputs& asked) const;
  // K(0)'s outputs for the verified sample of a timing run of case `index`, computed on first use.
  Task<DriverRun> verified_reference(std::size_t index, VerifiedOutputs asked);

  Task<Built> build_plugin(std::string name, std::string source, std::vector<std::string> extra_flags);
  // Never beside a measurement on this rank: checks use the measured processors too.
  Task<DriverRun> run(std::filesystem::path plugin, DriverWork work, double seconds);
  // A driver that loads plugins built with these compiler's sanitizers ("address,undefined").
  Task<Built> build_sanitized_driver(std::string sanitizers);
  Task<DriverRun> run_sanitized(std::filesystem::path driver, std::filesystem::path plugin, DriverWork work,
                                double seconds);
  // K(0) in the driver as a tool starts both, without a sandbox; never a candidate.
  Task<DriverRun> run_original_under(std::vector<std::string> tool, DriverWork work, double seconds);
  // What a disassembler prints of a plugin; empty where it fails.
  Task<std::string> disassembled(std::vector<std::string> argv, std::filesystem::path plugin);
  // Calls of a version one after the other, with the device to itself, and what the device says meanwhile.
  struct Sustained {
    DriverRun run;
    std::vector<GpuReading> idle, busy;
    double ended = 0;  // the process, by the monotonic clock
  };
  Task<Sustained> run_sustained(std::filesystem::path plugin, ProbeRun work, double idle_seconds);
  // A version in the driver under a profiler, with the device to itself.
  Task<DriverRun> run_profiled(std::filesystem::path plugin, DriverTool tool, DriverWork work,
                               double seconds);
  // The user's check on outputs, which must outlive this; only where the MEP has one.
  Task<DriverRun> judge(JudgeRun work);
  // Held while this rank itself computes, so that it disturbs no measurement.
  Task<NodeToken::Hold> quiet_turn() { return bench_.token.to_build(); }
  // Holds the device alone while it runs. On a GPU that checks may share its processes start before that.
  Task<DriverRunner::Pair> run_pair(std::filesystem::path reference, std::filesystem::path candidate,
                                    TimeRun work, double seconds);

  const PrepareTask& task() const { return task_; }
  const std::vector<WorkCase>& cases() const { return cases_; }
  // The case whose time the report gives; nothing where none is timed here.
  const WorkCase* heaviest(const MepReport& report) const;
  const std::vector<CheckItem>& plan() const { return plan_; }
  const Built& original() const { return original_; }
  std::size_t flush_bytes() const;
  double build_limit(double original_seconds) const;
  double run_limit(double original_seconds) const;
  int threads() const;

 private:
  Task<Built> build_driver();
  Task<Built> build_runtime(bool anew);
  Task<Built> link_driver();
  Task<Built> build_check();
  DriverLimits driver_limits(double seconds) const;
  double trusted_build_limit() const;
  BuildLimits build_limits(double seconds) const;

  // What all runs but timed pairs have in common.
  Task<DriverRun> run_driver(std::filesystem::path driver, std::filesystem::path plugin, DriverWork work,
                             DriverLimits limits);
  // Of this rank's GPU; nothing to hold where there is none.
  Task<GpuLock::Hold> gpu_turn(bool alone);
  // The device and the measured processors for oneself.
  struct Alone {
    AsyncMutex::Guard rank;
    NodeToken::Hold node;
    GpuLock::Hold gpu;
  };
  Task<Alone> measuring_turn();
  // What a timed pair holds, and what looks at the device meanwhile.
  struct PairTurn {
    std::optional<AsyncMutex::Guard> starting;
    std::optional<Alone> alone;
    std::optional<Activity::Entry> entry;
    std::optional<GpuMonitor> monitor;
  };
  Task<bool> take_turn(std::shared_ptr<PairTurn> turn);  // false where nothing is started any more

  Bench& bench_;
  PrepareTask task_;
  std::filesystem::path folder_, context_, driver_, invariants_;
  DriverBuild target_;
  SandboxRules rules_;
  Builder builder_;
  DriverRunner runner_;
  AsyncMutex referencing_;
  Built original_;
  double original_build_seconds_ = 0;
  std::vector<WorkCase> cases_;
  std::vector<CheckItem> plan_;
  std::optional<DriverRun> reference_;
  std::shared_ptr<const DoubleReference> precise_;
  bool tried_precise_ = false;
  std::map<std::string, DriverRun> verified_;
  double data_bytes_ = 0, call_seconds_ = 0;
};

}  // namespace noctune
