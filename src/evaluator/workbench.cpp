#include "evaluator/workbench.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "evaluator/gpu/gpu_toolchain.hpp"
#include "evaluator/gpu_devices.hpp"
#include "evaluator/gpu_discovery.hpp"
#include "evaluator/runtime_store.hpp"
#include "evaluator/sanitizer_report.hpp"
#include "evaluator/toolchain_folders.hpp"
#include "mep/driver_sources.hpp"
#include "mep/inputs_source.hpp"
#include "mep/mutants.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

constexpr double listing_kb = 8192;           // of machine code
constexpr double reading_seconds = 0.05;      // between two questions to the device
constexpr double pair_patience_seconds = 30;  // with a turn, before the device is opened anew

const std::vector<std::string>& flags_of(const PrepareTask& task) {
  return task.mep.flags.empty() ? task.platform.flags : task.mep.flags;
}

DriverBuild target_of(const PlatformSettings& platform, const DeviceFacts& device) {
  DriverBuild out{platform.backend, platform.architecture, {}};
  if (out.architecture.empty() && runs_on_gpu(out.backend)) {
    const auto names = architecture_list(out.backend, {device.gpu.architecture});
    if (names && !names->empty()) out.architecture = names->front();
  }
  if (out.backend == "cuda")
    out.libraries = cuda_library_folder(platform.compiler, path_in(compiler_environment()));
  return out;
}

std::vector<std::string> device_files(const PlatformSettings& platform, const DeviceFacts& device) {
  if (!runs_on_gpu(platform.backend)) return {};
  return gpu_device_files(gpu_info(device));
}

}  // namespace

Workbench::Workbench(Bench& bench, PrepareTask task)
    : bench_(bench),
      task_(std::move(task)),
      folder_(bench.scratch / (std::to_string(++bench.workbenches) + "-" + task_.mep.sha().substr(0, 12))),
      context_(folder_ / "context.hpp"),
      target_(target_of(task_.platform, bench.device)),
      rules_(bench.sandbox, task_.platform.compiler, flags_of(task_), bench.scratch,
             device_files(task_.platform, bench.device)),
      builder_(bench.helper, task_.platform.compiler, target_, rules_, task_.mep.libraries),
      runner_(bench.helper, bench.threads, folder_, rules_),
      referencing_(bench.io) {}

Task<Built> Workbench::build() {
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  std::vector<std::string> sources;
  Built failed;
  for (const auto& [name, text] : driver_sources(task_.mep.spec, task_.mep.context, task_.mep.inputs)) {
    if (Result<void> written = write_file(folder_ / name, text); !written) {
      failed.message = written.error().text();
      co_return failed;
    }
  }
  if (original_.verdict != Verdict::ok) {
    original_ = co_await build_plugin("original", task_.mep.original, {});
    original_build_seconds_ = original_.seconds;
    if (original_.verdict != Verdict::ok) {
      failed = original_;
      failed.message = "the original " + failed.message;
      co_return failed;
    }
  }
  Built driver = co_await build_driver();
  driver_ = driver.file;
  if (driver.verdict != Verdict::ok) driver.message = "the driver " + driver.message;
  if (driver.verdict != Verdict::ok || task_.mep.spec.check.invariants.empty()) co_return driver;
  Built check = co_await build_check();
  invariants_ = check.file;
  if (check.verdict == Verdict::ok) co_return driver;
  check.message = task_.mep.spec.check.invariants + " " + check.message;
  co_return check;
}

// With K(0)'s flags, which context.hpp may need, but such that it can ask whether a number is NaN.
Task<Built> Workbench::build_check() {
  std::vector<std::string> flags = {"-fno-fast-math", "-fno-finite-math-only"};
  Built built =
      co_await build_plugin("check", check_source(task_.mep.spec, task_.mep.check), std::move(flags));
  const std::string name = task_.mep.spec.entry + "_check";
  const auto& defined = built.binary.defined;
  if (built.verdict == Verdict::ok && std::find(defined.begin(), defined.end(), name) == defined.end()) {
    built.verdict = Verdict::build_failed;
    built.message = "defines no " + name;
  }
  co_return built;
}

// Two MEPs at once may both make it; either result serves.
Task<Built> Workbench::build_runtime(bool anew) {
  const RuntimeStore store;
  const std::string key = RuntimeStore::key(target_, task_.platform.compiler, bench_.device.compiler);
  Built runtime;
  runtime.file = folder_ / "driver.o";
  bench_.runtime_is_kept = !anew && store.fetch(key, runtime.file);
  if (bench_.runtime_is_kept) {
    runtime.verdict = Verdict::ok;
  } else {
    runtime = co_await builder_.program(folder_, "driver.o", runtime_compile_arguments(target_),
                                        build_limits(trusted_build_limit()));
    if (runtime.verdict == Verdict::ok) store.keep(key, runtime.file);
  }
  if (runtime.verdict == Verdict::ok) bench_.driver_runtime = runtime.file;
  co_return runtime;
}

Task<Built> Workbench::build_driver() {
  NodeToken::Hold hold = co_await bench_.token.to_build();
  const Activity::Entry entry(bench_.activity, Activity::Kind::building);
  double seconds = 0;
  if (bench_.driver_runtime.empty()) {
    const Built runtime = co_await build_runtime(false);
    if (runtime.verdict != Verdict::ok) co_return runtime;
    seconds = runtime.seconds;
  }
  Built driver = co_await link_driver();
  // The key of a kept runtime does not know all that a compiler brings, such as its libraries.
  if (driver.verdict == Verdict::build_failed && bench_.runtime_is_kept) {
    const Built runtime = co_await build_runtime(true);
    if (runtime.verdict != Verdict::ok) co_return runtime;
    seconds = runtime.seconds;
    driver = co_await link_driver();
  }
  driver.seconds += seconds;
  co_return driver;
}

Task<Built> Workbench::link_driver() {
  std::vector<std::string> arguments =
      driver_compile_arguments(target_, bench_.driver_runtime, needs_inputs(task_.mep.spec));
  co_return co_await builder_.program(folder_, "driver", std::move(arguments),
                                      build_limits(trusted_build_limit()));
}

Task<Built> Workbench::build_sanitized_driver(std::string sanitizers) {
  NodeToken::Hold hold = co_await bench_.token.to_build();
  if (bench_.stopping) co_return Built{};
  const Activity::Entry entry(bench_.activity, Activity::Kind::building);
  Built driver = co_await builder_.program(
      folder_, "driver-sanitized",
      sanitized_driver_arguments(bench_.driver_runtime, sanitizers, needs_inputs(task_.mep.spec)),
      build_limits(trusted_build_limit()));
  co_return driver;
}

Result<void> Workbench::adopt(const MepReport& report) {
  cases_.clear();
  reference_.reset();
  precise_.reset();
  tried_precise_ = false;
  call_seconds_ = report.call_seconds;
  data_bytes_ = 0;
  if (report.seeds.size() < check_seeds)
    return fail("the report on " + task_.mep.hotspot, "it has too few input seeds");
  for (const SizedCase& sized : report.cases) {
    const auto& declared = task_.mep.spec.cases;
    const auto found = std::find_if(declared.begin(), declared.end(),
                                    [&](const CaseSpec& one) { return one.name == sized.name; });
    if (found == declared.end())
      return fail("case " + sized.name, "is not in the spec of " + task_.mep.hotspot);
    WorkCase work;
    work.sized = sized;
    for (const std::uint64_t seed : report.seeds) {
      Result<ResolvedCase> resolved = resolve_case(task_.mep.spec, *found, sized.sizes, seed);
      if (!resolved) return Failure(resolved.error());
      data_bytes_ = std::max(data_bytes_, resolved->data_bytes);
      work.by_seed.push_back(std::move(*resolved));
    }
    cases_.push_back(std::move(work));
  }
  plan_ = check_plan(cases_, runs_on_gpu(task_.platform.backend));
  return {};
}

Task<DriverRun> Workbench::reference() {
  AsyncMutex::Guard guard = co_await referencing_.lock();
  if (reference_) co_return *reference_;
  DriverRun done = co_await run(original_.file, runs_of(plan_), run_limit(call_seconds_));
  if (done.verdict() == Verdict::ok) reference_ = done;
  co_return done;
}

Task<std::shared_ptr<const DoubleReference>> Workbench::precise_reference() {
  if (!can_be_widened(task_.mep.spec)) co_return nullptr;
  const DriverRun original = co_await reference();
  AsyncMutex::Guard guard = co_await referencing_.lock();
  if (tried_precise_ || original.verdict() != Verdict::ok) co_return precise_;
  const Built built =
      co_await build_plugin("double", widened_version(task_.mep.spec, task_.mep.original), {});
  std::vector<CheckRun> runs = runs_of(plan_);
  for (CheckRun& one : runs) one.mutation = Mutation::widened;
  DriverRun wide;
  if (built.verdict == Verdict::ok)
    wide = co_await run(built.file, std::move(runs), run_limit(call_seconds_));
  if (bench_.stopping || built.verdict == Verdict::lost) co_return nullptr;
  tried_precise_ = true;
  if (built.verdict == Verdict::ok && wide.verdict() == Verdict::ok)
    precise_ =
        std::make_shared<const DoubleReference>(double_reference(plan_, *original.report, *wide.report));
  co_return precise_;
}

const WorkCase* Workbench::heaviest(const MepReport& report) const {
  const SizedCase* sized = heaviest_case(report);
  if (!sized) return nullptr;
  const auto found = std::find_if(cases_.begin(), cases_.end(),
                                  [sized](const WorkCase& one) { return one.sized.name == sized->name; });
  return found == cases_.end() ? nullptr : &*found;
}

CheckItem Workbench::verified_item(std::size_t index, const VerifiedOutputs& asked) const {
  CheckItem out;
  out.work_case = index;
  out.run.resolved = cases_[index].by_seed[static_cast<std::size_t>(asked.case_index)];
  out.run.seed = asked.seed;
  out.run.poison = asked.poison;
  out.run.calls = asked.calls;
  return out;
}

Task<DriverRun> Workbench::verified_reference(std::size_t index, VerifiedOutputs asked) {
  AsyncMutex::Guard guard = co_await referencing_.lock();
  const std::string key = std::to_string(index) + "/" + std::to_string(asked.case_index) + "/" +
                          std::to_string(asked.seed) + "/" + std::to_string(asked.poison) + "/" +
                          std::to_string(asked.calls);
  if (const auto found = verified_.find(key); found != verified_.end()) co_return found->second;
  std::vector<CheckRun> runs = {verified_item(index, asked).run};
  DriverRun done = co_await run(original_.file, std::move(runs), run_limit(call_seconds_));
  if (verified_.size() >= cases_.size() + 1) verified_.clear();
  if (done.verdict() == Verdict::ok) verified_.emplace(key, done);
  co_return done;
}

Task<Built> Workbench::build_plugin(std::string name, std::string source,
                                    std::vector<std::string> extra_flags) {
  std::vector<std::string> flags = flags_of(task_);
  flags.insert(flags.end(), extra_flags.begin(), extra_flags.end());
  NodeToken::Hold hold = co_await bench_.token.to_build();
  if (bench_.stopping) co_return Built{};
  const Activity::Entry entry(bench_.activity, Activity::Kind::building);
  BuildLimits limits = build_limits(build_limit(original_build_seconds_));
  Built built = co_await builder_.plugin(folder_ / name, std::move(source), context_, std::move(flags),
                                         std::move(limits));
  co_return built;
}

Task<DriverRun> Workbench::run(fs::path plugin, DriverWork work, double seconds) {
  // Where the ranks of a node share a token, it alone keeps their measurements apart.
  std::optional<AsyncMutex::Guard> alone;
  if (!bench_.device.shares_token) alone.emplace(co_await bench_.measuring.lock());
  fs::path driver = driver_;
  DriverLimits limits = driver_limits(seconds);
  DriverRun done =
      co_await run_driver(std::move(driver), std::move(plugin), std::move(work), std::move(limits));
  co_return done;
}

Task<DriverRun> Workbench::run_sanitized(fs::path driver, fs::path plugin, DriverWork work, double seconds) {
  AsyncMutex::Guard alone = co_await bench_.measuring.lock();
  DriverLimits limits = driver_limits(seconds);
  limits.reserves_memory = true;
  limits.memory_bytes *= 2;  // what they keep beside the program's own
  limits.environment = sanitizer_environment();
  DriverRun done =
      co_await run_driver(std::move(driver), std::move(plugin), std::move(work), std::move(limits));
  co_return done;
}

Task<DriverRun> Workbench::run_original_under(std::vector<std::string> tool, DriverWork work,
                                              double seconds) {
  AsyncMutex::Guard alone = co_await bench_.measuring.lock();
  DriverLimits limits = driver_limits(seconds);
  limits.tool.command = std::move(tool);
  limits.memory_bytes *= 4;  // what the tool keeps beside the program's own
  fs::path driver = driver_, plugin = original_.file;
  DriverRun done =
      co_await run_driver(std::move(driver), std::move(plugin), std::move(work), std::move(limits));
  co_return done;
}

Task<std::string> Workbench::disassembled(std::vector<std::string> argv, fs::path plugin) {
  NodeToken::Hold hold = co_await bench_.token.to_build();
  if (bench_.stopping) co_return std::string();
  const Activity::Entry entry(bench_.activity, Activity::Kind::building);
  BuildLimits limits = build_limits(trusted_build_limit());
  limits.settings.output_kb = listing_kb;
  std::string out =
      co_await builder_.printed(plugin.parent_path(), std::move(argv), plugin, std::move(limits));
  co_return out;
}

Task<DriverRun> Workbench::run_profiled(fs::path plugin, DriverTool tool, DriverWork work, double seconds) {
  const Alone alone = co_await measuring_turn();
  if (bench_.stopping) co_return DriverRun{};
  const Activity::Entry entry(bench_.activity, Activity::Kind::measuring);
  DriverLimits limits = driver_limits(seconds);
  limits.tool = std::move(tool);
  limits.memory_bytes *= 4;  // what the tool keeps beside the program's own
  fs::path driver = driver_;
  DriverRun done =
      co_await runner_.run(std::move(driver), std::move(plugin), std::move(work), std::move(limits));
  co_return done;
}

Task<DriverRun> Workbench::judge(JudgeRun asked) {
  DriverWork work = std::move(asked);
  const double limit = 4 * task_.mep_limits.t_max_s + run_limit(call_seconds_);
  DriverRun done = co_await run(invariants_, std::move(work), limit);
  co_return done;
}

Task<GpuLock::Hold> Workbench::gpu_turn(bool alone) {
  if (!bench_.gpu_lock) co_return GpuLock::Hold();
  GpuLock::Patience patience;
  patience.give_up = [bench = &bench_] { return bench->stopping; };
  if (alone) {
    GpuLock::Hold hold = co_await bench_.gpu_lock->to_measure(std::move(patience));
    co_return hold;
  }
  GpuLock::Hold hold = co_await bench_.gpu_lock->to_check(std::move(patience));
  co_return hold;
}

Task<Workbench::Alone> Workbench::measuring_turn() {
  AsyncMutex::Guard rank = co_await bench_.measuring.lock();
  NodeToken::Hold node = co_await bench_.token.to_measure();
  GpuLock::Hold gpu = co_await gpu_turn(true);
  co_return Alone{std::move(rank), std::move(node), std::move(gpu)};
}

Task<DriverRun> Workbench::run_driver(fs::path driver, fs::path plugin, DriverWork work,
                                      DriverLimits limits) {
  NodeToken::Hold hold = co_await bench_.token.to_build();
  GpuLock::Hold gpu = co_await gpu_turn(false);
  if (bench_.stopping) co_return DriverRun{};
  const Activity::Entry entry(bench_.activity, Activity::Kind::checking);
  DriverRun done =
      co_await runner_.run(std::move(driver), std::move(plugin), std::move(work), std::move(limits));
  co_return done;
}

Task<bool> Workbench::take_turn(std::shared_ptr<PairTurn> turn) {
  turn->alone.emplace(co_await measuring_turn());
  turn->starting.reset();
  if (bench_.stopping) co_return false;
  turn->entry.emplace(bench_.activity, Activity::Kind::measuring);
  if (bench_.gpu_state) turn->monitor.emplace(bench_.gpu_state, reading_seconds);
  co_return true;
}

// Opening a GPU takes longer than all samples of a short kernel: that is done beside the check of another
// version, by one pair at a time. What goes wrong before the turn says nothing of the pair, which starts
// again.
Task<DriverRunner::Pair> Workbench::run_pair(fs::path reference_plugin, fs::path candidate_plugin,
                                             TimeRun work, double seconds) {
  const auto turn = std::make_shared<PairTurn>();
  DriverRunner::Pair pair;
  pair.had_turn = false;
  if (bench_.gpu_lock && !bench_.device.shares_token) {
    turn->starting.emplace(co_await bench_.starting.lock());
    GpuLock::Hold opening = co_await gpu_turn(false);
    if (bench_.stopping) co_return DriverRunner::Pair{};
    EarlyStart early;
    early.opening = opening.take();
    early.turn = [this, turn] { return take_turn(turn); };
    early.patience_s = pair_patience_seconds;
    pair = co_await runner_.run_pair(driver_, reference_plugin, candidate_plugin, work,
                                     driver_limits(seconds), std::move(early));
  }
  if (!pair.had_turn && !bench_.stopping) {
    if (!turn->alone) (void)co_await take_turn(turn);
    if (bench_.stopping) co_return DriverRunner::Pair{};
    pair = co_await runner_.run_pair(driver_, std::move(reference_plugin), std::move(candidate_plugin),
                                     std::move(work), driver_limits(seconds), EarlyStart());
  }
  if (turn->monitor) pair.readings = turn->monitor->stop();
  co_return pair;
}

Task<Workbench::Sustained> Workbench::run_sustained(fs::path plugin, ProbeRun work, double idle_seconds) {
  const Alone alone = co_await measuring_turn();
  Sustained out;
  if (bench_.stopping || !bench_.gpu_state) co_return out;
  const Activity::Entry entry(bench_.activity, Activity::Kind::measuring);
  {
    GpuMonitor monitor(bench_.gpu_state, reading_seconds);
    co_await sleep_for(idle_seconds);
    out.idle = monitor.stop();
  }
  GpuMonitor monitor(bench_.gpu_state, reading_seconds);
  fs::path driver = driver_;
  DriverLimits limits = driver_limits(run_limit(call_seconds_) + work.seconds);
  out.run = co_await runner_.run(std::move(driver), std::move(plugin), std::move(work), std::move(limits));
  out.ended = steady_seconds();
  out.busy = monitor.stop();
  co_return out;
}

std::size_t Workbench::flush_bytes() const {
  const double most_mb = runs_on_gpu(task_.platform.backend) ? 512 : 64;
  const double wanted_mb =
      task_.platform.flush_mb >= 0
          ? task_.platform.flush_mb
          : std::min(most_mb, 2e-6 * static_cast<double>(bench_.device.last_level_cache_bytes));
  return static_cast<std::size_t>(wanted_mb * 1e6);
}

double Workbench::build_limit(double original_seconds) const {
  return std::max(task_.limits.build_s, task_.limits.build_factor * original_seconds);
}

// Drivers are our own sources: on a busy node they take as long as they take.
double Workbench::trusted_build_limit() const {
  return std::max(task_.limits.build_s, 120.0);
}

double Workbench::run_limit(double original_seconds) const {
  return std::max(task_.limits.run_s, task_.limits.run_factor * original_seconds);
}

int Workbench::threads() const {
  return task_.platform.threads > 0 ? task_.platform.threads
                                    : static_cast<int>(bench_.device.measured_cpus.size());
}

DriverLimits Workbench::driver_limits(double seconds) const {
  DriverLimits limits;
  limits.seconds = seconds;
  // Data of several argument sets, beyond what a candidate may allocate itself.
  limits.memory_bytes = task_.limits.memory_mb * 1e6 + 4 * data_bytes_ + static_cast<double>(flush_bytes());
  limits.output_bytes = task_.limits.output_kb * 1024;
  limits.cpus = bench_.device.measured_cpus;
  limits.threads = threads();
  if (runs_on_gpu(task_.platform.backend)) {
    limits.reserves_memory = true;  // an address space for all devices
    limits.gpu = gpu_info(bench_.device);
  }
  return limits;
}

BuildLimits Workbench::build_limits(double seconds) const {
  BuildLimits limits;
  limits.seconds = seconds;
  limits.settings = task_.limits;
  limits.cpus = bench_.device.build_cpus;
  return limits;
}

}  // namespace noctune
