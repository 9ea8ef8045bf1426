#include "evaluator/profiling.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "evaluator/gpu/resource_report.hpp"
#include "evaluator/profile/guidance.hpp"
#include "evaluator/profile/machine_code.hpp"
#include "evaluator/profile/profile_metrics.hpp"
#include "evaluator/profile/profilers.hpp"
#include "evaluator/profile/refusal.hpp"
#include "evaluator/toolchain_folders.hpp"
#include "mep/mutants.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace {

constexpr double plain_seconds = 0.1;    // of calls that tell how long one takes
constexpr double profiler_seconds = 90;  // beyond the time of the driver: replays
constexpr double pauses[] = {1, 4};      // where another profiler holds the counters
constexpr double widest_load = 16;       // bytes of a lane

Vendor vendor_of(const DeviceFacts& device) {
  if (device.backend == "cuda") return Vendor::nvidia;
  for (const char* name : {"gfx926", "gfx928", "gfx936"})
    if (device.gpu.architecture.starts_with(name)) return Vendor::hygon;
  const bool hygon = device.name.find("DCU") != std::string::npos || device.name.starts_with("Hygon");
  return hygon ? Vendor::hygon : Vendor::amd;
}

std::vector<CompiledKernel> compiled_kernels(const std::string& backend, const std::string& diagnostics) {
  std::vector<CompiledKernel> out;
  if (!runs_on_gpu(backend)) return out;
  for (const KernelResources& one : compiler_report(backend, diagnostics).kernels) {
    CompiledKernel kernel{one.demangled, {}, {}, {}, {}, one.occupancy};
    kernel.registers = one.registers;
    kernel.spill_bytes = static_cast<double>(one.spill_store_bytes + one.spill_load_bytes);
    kernel.stack_bytes = static_cast<double>(one.stack_bytes + one.scratch_bytes);
    kernel.shared_bytes = static_cast<double>(one.shared_bytes);
    out.push_back(std::move(kernel));
  }
  return out;
}

// Rows as long as the sizes say start at multiples of the widest load; small sizes are counts of other
// things.
bool sizes_are_wide(const SizedCase& sized, double element_bytes) {
  const auto lanes = static_cast<long long>(widest_load / element_bytes);
  return std::all_of(sized.sizes.begin(), sized.sizes.end(),
                     [lanes](const auto& size) { return size.second < 64 || size.second % lanes == 0; });
}

class Profiling {
 public:
  Profiling(Bench& bench, std::shared_ptr<Workbench> work, MepReport report, Built built)
      : bench_(bench), work_(std::move(work)), report_(std::move(report)), built_(std::move(built)) {}

  Task<Profiled> run() {
    const Stopwatch watch;
    case_ = work_->heaviest(report_);
    if (!case_) co_return lost("no case is timed");
    const DriverRun plain = co_await plain_calls();
    if (plain.verdict() == Verdict::lost || !plain.report || !plain.report->probe)
      co_return lost(plain.message());
    call_seconds_ = plain.report->probe->seconds_per_call;
    ceilings_ = profile_ceilings(bench_.device);
    const ProfileFacts counted = co_await counters();
    const CodeCounts code = co_await machine_code();
    if (bench_.stopping) co_return lost("stopped");
    conclude(counted, code);
    out_.seconds = watch.seconds();
    co_return std::move(out_);
  }

 private:
  Profiled lost(const std::string& why) {
    out_.verdict = Verdict::lost;
    out_.message = "could not be profiled: " + why;
    return std::move(out_);
  }

  ProbeRun probe(ProbeKind kind) const {
    ProbeRun out;
    out.resolved = case_->by_seed.front();
    out.seed = report_.seeds.front();
    out.seconds = plain_seconds;
    out.kind = kind;
    return out;
  }

  Task<DriverRun> plain_calls() {
    std::filesystem::path plugin = built_.file;
    DriverRun done = co_await work_->run(std::move(plugin), probe(ProbeKind::calls),
                                         work_->run_limit(report_.call_seconds));
    co_return done;
  }

  Task<DriverRun> profiled_call(DriverTool tool) {
    std::filesystem::path plugin = built_.file;
    DriverRun done =
        co_await work_->run_profiled(std::move(plugin), std::move(tool), probe(ProbeKind::profiled),
                                     work_->run_limit(report_.call_seconds) + profiler_seconds);
    co_return done;
  }

  // Facts without a source where there are none.
  Task<ProfileFacts> counters() {
    const PlatformSettings& platform = work_->task().platform;
    if (!runs_on_gpu(platform.backend)) co_return ProfileFacts{};
    const std::string program = gpu_program(platform.backend, "profiler", platform.compiler);
    if (program.empty()) without("there is no profiler in PATH or beside the compiler", false);
    if (program.empty() || !bench_.no_counters.empty()) co_return ProfileFacts{};
    std::vector<std::string> tables;
    for (const ProfilerPass& pass : profiler_passes(program)) {
      std::optional<std::string> table = co_await counted(program, pass);
      if (!table) co_return ProfileFacts{};
      tables.push_back(std::move(*table));
    }
    Result<ProfileFacts> facts = read_profile(program, tables, ceilings_);
    if (!facts) without(facts.error().text(), false);
    co_return facts ? std::move(*facts) : ProfileFacts{};
  }

  // The pass's table; nothing, with the reason noted, where there is none.
  Task<std::optional<std::string>> counted(std::string program, ProfilerPass pass) {
    const DriverTool tool{pass.command, true, installation_of(program, {}), pass.files, pass.table_ends};
    for (std::size_t attempt = 0;; ++attempt) {
      const DriverRun run = co_await profiled_call(tool);
      if (bench_.stopping) co_return std::nullopt;
      if (run.outcome.end == ChildOutcome::End::deadline) {
        without("the profiler did not end", true);
        co_return std::nullopt;
      }
      const auto refused = profiler_refusal(run.outcome.output + "\n" + run.table.substr(0, 4096));
      if (!refused && !run.table.empty()) co_return run.table;
      if (refused && refused->kind == RefusalKind::busy && attempt < std::size(pauses)) {
        co_await sleep_for(pauses[attempt]);
        continue;
      }
      without(refused ? refused->error.text() : "the profiler left no table: " + run.message(),
              refused && refused->is_lasting());
      co_return std::nullopt;
    }
  }

  Task<CodeCounts> machine_code() {
    const PlatformSettings& platform = work_->task().platform;
    const std::string program = gpu_program(platform.backend, "disassembler", platform.compiler);
    if (std::filesystem::path(program).filename() != "cuobjdump") co_return CodeCounts{};
    std::vector<std::string> argv = {program, "-sass"};
    const std::string listing = co_await work_->disassembled(std::move(argv), built_.file);
    co_return counts_from_sass(listing);
  }

  void without(const std::string& why, bool for_good) {
    out_.message = "without counters: " + why;
    if (for_good) bench_.no_counters = why;
  }

  void conclude(const ProfileFacts& counted, const CodeCounts& code) {
    const PlatformSettings& platform = work_->task().platform;
    const SizedCase& sized = case_->sized;
    const bool single = has_narrow_floats(work_->task().mep.spec);
    const bool all_launches = counted.doubts.empty() || counted.launches.value_or(0) < most_profiled_launches;
    TaskModel task;
    if (sized.bytes > 0) task.compulsory_bytes = sized.bytes;
    if (sized.flops > 0) task.flops = sized.flops;
    task.seconds = call_seconds_;
    const ProfileFacts facts =
        best_facts(counted, compiled_kernels(platform.backend, built_.diagnostics), task);
    HintContext context;
    context.vendor = vendor_of(bench_.device);
    context.ceilings = ceilings_;
    context.code = code;
    context.call_seconds = call_seconds_;
    if (all_launches) context.compulsory_bytes = task.compulsory_bytes;
    context.working_set_bytes = static_cast<double>(sized.data_bytes);
    context.dtype = single ? "f32" : "f64";
    context.wide_aligned = sizes_are_wide(sized, single ? 4 : 8);
    context.bottleneck = bottleneck_class(facts, ceilings_, call_seconds_, single);
    // The tools speak of warps and blocks.
    const std::vector<Hint> hints =
        runs_on_gpu(platform.backend) ? best_hints(facts, context) : std::vector<Hint>();
    out_.guidance = guidance_text(facts, context, hints);
    out_.metrics = profile_metrics(facts, context.bottleneck, hints);
    if (out_.message.empty()) out_.message = facts.source == ProfileSource::counters ? facts.tool : "";
    if (out_.message.empty() && !bench_.no_counters.empty()) without(bench_.no_counters, true);
  }

  Bench& bench_;
  std::shared_ptr<Workbench> work_;
  MepReport report_;
  Built built_;
  const WorkCase* case_ = nullptr;
  double call_seconds_ = 0;
  ProfileCeilings ceilings_;
  Profiled out_;
};

}  // namespace

ProfileCeilings profile_ceilings(const DeviceFacts& device) {
  ProfileCeilings out;
  const auto keep_largest = [](Fact& fact, double value) { fact = std::max(fact.value_or(0), value); };
  const auto cache = static_cast<double>(device.last_level_cache_bytes);
  double largest = 0;
  for (const Ceiling& one : device.ceilings) largest = std::max(largest, one.bytes);
  for (const Ceiling& one : device.ceilings) {
    const bool beyond = one.bytes == largest || (cache > 0 && one.bytes > 2 * cache);
    if (one.unit == "B/s" && beyond) keep_largest(out.dram_rate, one.value);
    if (one.unit == "B/s" && !beyond && one.bytes <= cache) keep_largest(out.l2_rate, one.value);
    if (one.name == "fp32 FMA") out.flops_fp32 = one.value;
    if (one.name == "fp64 FMA") out.flops_fp64 = one.value;
    if (one.unit == "s") out.launch_seconds = one.value;
  }
  // Calls on small sets may be too short to show more than the memory's rate.
  if (out.l2_rate && *out.l2_rate < out.dram_rate.value_or(0)) out.l2_rate.reset();
  if (device.gpu.multiprocessors > 0) out.multiprocessors = device.gpu.multiprocessors;
  if (device.l2_bytes > 0) out.l2_bytes = static_cast<double>(device.l2_bytes);
  return out;
}

Task<Profiled> profile_version(Bench& bench, std::shared_ptr<Workbench> work, MepReport report, Built built) {
  Profiling profiling(bench, std::move(work), std::move(report), std::move(built));
  Profiled out = co_await profiling.run();
  co_return out;
}

}  // namespace noctune
