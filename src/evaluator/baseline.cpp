#include "evaluator/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "evaluator/invariants.hpp"
#include "evaluator/mutations.hpp"
#include "evaluator/noise.hpp"
#include "evaluator/policy.hpp"
#include "evaluator/timing.hpp"
#include "mep/compare.hpp"
#include "mep/sizing.hpp"

namespace noctune {
namespace {

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

// One MEP on its way from spec to report. Each step fills the report or refuses, and says why.
class Baselining {
 public:
  Baselining(std::shared_ptr<Workbench> bench, double llc_bytes)
      : bench_(std::move(bench)), llc_bytes_(llc_bytes) {}

  Task<Baselined> run() {
    out_.baseline.started = wall_seconds();
    for (int i = 0; i < check_seeds; ++i) out_.report.seeds.push_back(random_u64());
    bool good = co_await build();
    if (good) good = co_await size();
    if (good) good = co_await learn_outputs();
    if (good) good = co_await probe_inputs();
    if (good) good = co_await probe_defects();
    if (good) good = co_await measure();
    if (good) {
      out_.report.usable = true;
      out_.baseline.verdict = Verdict::ok;
    } else {
      out_.baseline.verdict = out_.report.failure;
      out_.baseline.message = out_.report.message;
      out_.baseline.diagnostics = out_.report.diagnostics;
    }
    co_return std::move(out_);
  }

 private:
  bool refuse(Verdict verdict, std::string message, std::string diagnostics = {}) {
    out_.report.failure = verdict;
    out_.report.message = std::move(message);
    out_.report.diagnostics = std::move(diagnostics);
    return false;
  }

  const MepSpec& spec() const { return bench_->task().mep.spec; }

  Task<bool> build() {
    const Built built = co_await bench_->build();
    out_.baseline.seconds.build = built.seconds + bench_->original().seconds;
    if (built.verdict != Verdict::ok) co_return refuse(built.verdict, built.message, built.diagnostics);
    const PluginBinary& binary = bench_->original().binary;
    if (const auto why = binary_objection(binary, spec().entry, binary.undefined))
      co_return refuse(Verdict::build_failed, "the original " + *why);
    out_.report.undefined_symbols = binary.undefined;
    out_.report.build_seconds = bench_->original().seconds;
    out_.baseline.binary_sha = binary.code_sha;
    co_return true;
  }

  Task<bool> size() {
    for (const CaseSpec& wanted : spec().cases) {
      const bool sized = co_await size_case(wanted);
      if (!sized) co_return false;
    }
    if (Result<void> adopted = bench_->adopt(out_.report); !adopted)
      co_return refuse(Verdict::run_failed, adopted.error().text());
    co_return true;
  }

  SizingLimits sizing_limits() const {
    const MepLimits& limits = bench_->task().mep_limits;
    SizingLimits out;
    out.t_min_s = limits.t_min_ms * 1e-3;
    out.t_max_s = limits.t_max_s;
    out.s_max_bytes = limits.s_max_mb * 1e6;
    out.llc_bytes = llc_bytes_;
    return out;
  }

  Task<bool> size_case(CaseSpec wanted) {
    std::vector<SizeSpec> open;
    for (const std::string& name : auto_sizes(spec(), wanted))
      for (const SizeSpec& size : spec().sizes)
        if (size.name == name) open.push_back(size);
    const std::uint64_t seed = out_.report.seeds[0];
    auto bytes_at = [this, wanted, seed](const Sizing::Sizes& sizes) {
      const Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sizes, seed);
      return resolved ? resolved->data_bytes : -1.0;
    };
    Sizing sizing(wanted.use == CaseUse::time ? open : std::vector<SizeSpec>(), sizing_limits(), bytes_at);
    while (!sizing.done()) {
      Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sizing.sizes(), seed);
      if (!resolved) co_return refuse(Verdict::run_failed, resolved.error().text());
      const std::optional<SizingProbe> probe = co_await probe_case(*resolved);
      if (!probe) co_return false;
      sizing.tell(*probe);
    }
    const SizingResult& sized = sizing.result();
    if (sized.refused && wanted.use == CaseUse::time) co_return refuse(Verdict::run_timeout, sized.sentence);
    co_return keep(wanted, sized);
  }

  bool keep(const CaseSpec& wanted, const SizingResult& sized) {
    Result<ResolvedCase> resolved = resolve_case(spec(), wanted, sized.sizes, out_.report.seeds[0]);
    if (!resolved) return refuse(Verdict::run_failed, resolved.error().text());
    MepReport& report = out_.report;
    const bool timed = wanted.use == CaseUse::time;
    if (timed && sized.measured.t_ker_s >= report.t_ker) {
      report.t_ker = sized.measured.t_ker_s;
      report.t_overall = sized.measured.t_overall_s;
      report.s_data = static_cast<long long>(resolved->data_bytes);
      report.batched = sized.batched;
      report.message = sized.sentence;
    }
    SizedCase out;
    out.name = wanted.name;
    out.use = wanted.use;
    out.weight = wanted.weight;
    out.sizes = resolved->sizes;
    out.batch = timed ? sized.batch : 1;
    out.data_bytes = static_cast<long long>(resolved->data_bytes);
    out.flops = resolved->flops;
    out.bytes = resolved->bytes;
    report.cases.push_back(std::move(out));
    return true;
  }

  Task<std::optional<SizingProbe>> probe_case(ResolvedCase resolved) {
    ProbeRun probe;
    probe.resolved = resolved;
    probe.seed = resolved.seed;
    const double limit = bench_->task().mep_limits.t_max_s;
    const DriverRun run = co_await bench_->run(bench_->original().file, std::move(probe), limit);
    SizingProbe out;
    out.s_data_bytes = resolved.data_bytes;
    if (run.outcome.end == ChildOutcome::End::deadline) {
      out.t_ker_s = out.t_overall_s = run.outcome.seconds;
      co_return out;
    }
    if (!original_ran(run, "at " + resolved.sizes_text()) || !run.report->probe) co_return std::nullopt;
    out.t_ker_s = run.report->probe->seconds_per_call;
    out.t_overall_s = run.report->probe->overall_seconds;
    co_return out;
  }

  bool original_ran(const DriverRun& run, const std::string& when) {
    const Verdict verdict = run.verdict();
    if (verdict == Verdict::ok) return true;
    // Most likely met here first: the application's buffers had room behind them.
    const std::string hint =
        run.outcome.signal == SIGSEGV || run.outcome.signal == SIGBUS
            ? " (in some calls a buffer ends where memory ends: it may read past one, or "
              "count on an alignment)"
            : "";
    return refuse(verdict, "the original, run alone " + when + ": " + run.message() + hint,
                  run.outcome.output);
  }

  Task<bool> learn_outputs() {
    const Stopwatch watch;
    const DriverRun first = co_await bench_->reference();
    if (!original_ran(first, "on its check cases")) co_return false;
    const DriverRun second =
        co_await bench_->run(bench_->original().file, runs_of(bench_->plan()), run_limit());
    if (!original_ran(second, "on its check cases again")) co_return false;
    std::vector<CheckRun> moved = runs_of(bench_->plan());
    for (CheckRun& run : moved)
      if (run.variant == InputVariant::normal) run.variant = InputVariant::nudged;
    const DriverRun nudged = co_await bench_->run(bench_->original().file, std::move(moved), run_limit());
    if (!original_ran(nudged, "on inputs moved by one unit in the last place")) co_return false;
    out_.baseline.seconds.check += watch.seconds();
    out_.report.call_seconds = first.outcome.seconds;
    out_.report.leaves_threads = first.report->leftover_threads > 0;
    out_.report.changes_arithmetic = first.report->arithmetic_left_changed;
    precise_ = co_await bench_->precise_reference();
    out_.report.double_reference = precise_ != nullptr;
    if (!learn_noise(*first.report, *second.report, *nudged.report)) co_return false;
    bool holds = co_await keeps_invariants(first);
    if (holds && !out_.report.deterministic) holds = co_await keeps_invariants(second);
    co_return holds;
  }

  Task<bool> keeps_invariants(DriverRun run) {
    const Judgement judged = co_await judge_invariants(bench_, bench_->plan(), *run.report, run);
    out_.baseline.seconds.check += judged.seconds;
    if (judged.verdict == Verdict::ok) co_return true;
    const bool broken = judged.verdict == Verdict::wrong_result;
    co_return refuse(judged.verdict,
                     (broken ? "the original breaks its own invariants: " : "") + judged.message,
                     judged.diagnostics);
  }

  bool learn_noise(const DriverReport& first, const DriverReport& second, const DriverReport& nudged) {
    for (std::size_t i = 0; i < bench_->plan().size(); ++i) {
      const CheckItem& planned = bench_->plan()[i];
      if (!first.runs[i].guards_ok)
        return refuse(Verdict::wrong_result, "the original writes outside a buffer at " +
                                                 planned.run.resolved.sizes_text() + ": " +
                                                 first.runs[i].guard_message);
      if (!first.runs[i].inputs_ok)
        return refuse(Verdict::wrong_result, "the original: " + first.runs[i].input_message +
                                                 "; give it the role inout in the spec");
      if (planned.run.variant != InputVariant::normal) continue;
      if (!learn_case(i, first.runs[i], second.runs[i], nudged.runs[i])) return false;
    }
    return true;
  }

  bool learn_case(std::size_t index, const CheckRunReport& first, const CheckRunReport& second,
                  const CheckRunReport& nudged) {
    const CheckItem& planned = bench_->plan()[index];
    const ResolvedCase& resolved = planned.run.resolved;
    for (std::size_t k = 0; k < first.outputs.size(); ++k) {
      const OutputBlob& blob = first.outputs[k];
      const ArgPlan& arg = resolved.args[static_cast<std::size_t>(blob.param)];
      if (arg.by_invariants) {
        if (blob.bytes != second.outputs[k].bytes) out_.report.deterministic = false;
        continue;
      }
      const auto poison =
          arg.role == Role::out ? std::optional<std::uint64_t>(planned.run.poison) : std::nullopt;
      if (any_non_finite(blob.element, blob.bytes, poison))
        return refuse(Verdict::wrong_result,
                      "the original's output " + arg.name + " holds NaN or infinity at " +
                          resolved.sizes_text() +
                          ": on such data nothing can be checked; give the inputs another range in the spec");
      const double again = distance(blob.element, blob.bytes, second.outputs[k].bytes);
      const double moved = distance(blob.element, blob.bytes, nudged.outputs[k].bytes);
      if (again > 0) out_.report.deterministic = false;
      OutputTolerance tolerance;
      tolerance.case_name = resolved.name;
      tolerance.param = arg.name;
      tolerance.band = is_floating(blob.element) ? std::max(again, moved) : 0;
      const auto& user = spec().check.tolerance;
      const double cap = largest_tolerance(blob.element);
      if (precise_) tolerance.base_error = precise_->base_errors[index][k];
      if (!is_floating(blob.element) && again > 0)
        return refuse(Verdict::unstable,
                      "the original's integer output " + arg.name +
                          " differs from run to run: nothing can be held to it; if any of several "
                          "results is right, say so by \"compare\": \"invariants\"");
      if (!user && !(tolerance.band <= cap))
        return refuse(Verdict::unstable,
                      "the original's output " + arg.name + " moves by " + number_text(tolerance.band) +
                          (again >= moved ? " from run to run"
                                          : " when its inputs move by one unit in the last place") +
                          ", more than " + number_text(cap) +
                          ": a check within its noise would see nothing; set check.tolerance in the spec, "
                          "with a reason, or check.invariants and \"compare\": \"invariants\" for it");
      choose_tolerance(tolerance, blob.element, resolved.depth);
      add_tolerance(tolerance);
    }
    return true;
  }

  void choose_tolerance(OutputTolerance& out, ElementType element, double depth) const {
    const CheckSpec& check = spec().check;
    if (check.tolerance) {
      out.tolerance = *check.tolerance;
      out.reason = "set in the spec: " + check.tolerance_reason;
      return;
    }
    out.tolerance = tolerance_for(element, depth);
    out.reason = !is_floating(element) ? "exact, since these are integers"
                 : check.depth == "1"  ? "rounding of single terms"
                                       : "rounding of sums of " + check.depth + " terms";
    const auto at_least = [&](double bound, const char* reason, double from) {
      if (bound <= out.tolerance) return;
      out.tolerance = bound;
      out.reason = std::string(reason) + ", " + number_text(from);
    };
    at_least(2 * out.base_error, "twice the original's distance from its double-precision build",
             out.base_error);
    at_least(4 * out.band, "4 times what the original moves by itself", out.band);
    // A sum of K terms that cancel: another order rounds K times as a one-ulp change of the inputs does once.
    at_least(std::min(largest_tolerance(element), std::sqrt(depth) * out.band),
             "sums that cancel, in another order: sqrt(depth) times what the original moves by itself",
             out.band);
  }

  // Two runs of a case with different seeds: the wider allowance holds for both.
  void add_tolerance(const OutputTolerance& found) {
    for (OutputTolerance& have : out_.report.tolerances)
      if (have.case_name == found.case_name && have.param == found.param) {
        have.band = std::max(have.band, found.band);
        have.base_error = std::max(have.base_error, found.base_error);
        if (found.tolerance > have.tolerance) have.reason = found.reason;
        have.tolerance = std::max(have.tolerance, found.tolerance);
        return;
      }
    out_.report.tolerances.push_back(found);
  }

  double run_limit() const { return bench_->run_limit(out_.report.call_seconds); }

  // Other values in the inputs must show in the outputs, or the check sees nothing.
  Task<bool> probe_inputs() {
    std::vector<CheckRun> other;
    std::vector<std::size_t> where;
    for (std::size_t i = 0; i < bench_->plan().size(); ++i) {
      CheckRun run = bench_->plan()[i].run;
      if (run.variant != InputVariant::normal) continue;
      run.variant = InputVariant::reseeded;
      other.push_back(std::move(run));
      where.push_back(i);
    }
    const DriverRun first = co_await bench_->reference();
    const DriverRun second = co_await bench_->run(bench_->original().file, std::move(other), run_limit());
    if (!original_ran(second, "on other inputs")) co_return false;
    for (std::size_t i = 0; i < where.size(); ++i) {
      const CheckRunReport &a = first.report->runs[where[i]], &b = second.report->runs[i];
      const std::vector<ArgPlan>& args = bench_->plan()[where[i]].run.resolved.args;
      for (std::size_t k = 0; k < a.outputs.size(); ++k) {
        if (!a.outputs[k].bytes.empty() && a.outputs[k].bytes == b.outputs[k].bytes &&
            a.outputs[k].bytes.size() > 64)
          co_return refuse(
              Verdict::wrong_result,
              "the output " + args[static_cast<std::size_t>(a.outputs[k].param)].name +
                  " does not change when the inputs do: the check could not tell a version that does "
                  "nothing from one that works; look at the inits of the inputs");
      }
    }
    co_return true;
  }

  Task<bool> probe_defects() {
    MutationResult found = co_await probe_mutations(bench_, out_.report);
    out_.null_probe = std::move(found.null_probe);
    for (std::string& note : found.notes) out_.report.notes.push_back(std::move(note));
    if (found.refused)
      co_return refuse(found.verdict, std::move(found.message), std::move(found.diagnostics));
    co_return true;
  }

  Task<bool> measure() {
    const Stopwatch watch;
    DeviceNoise noise = co_await measure_noise(bench_, out_.report.tolerances);
    out_.report.call_seconds = std::max(out_.report.call_seconds, noise.call_seconds);
    if (noise.verdict != Verdict::ok)
      co_return refuse(noise.verdict, "the original, timed against itself: " + noise.message);
    out_.baseline.spread = out_.report.spread = noise.spread;
    out_.baseline.timings = std::move(noise.timings);
    for (const TimingSummary& timing : out_.baseline.timings)
      out_.report.baseline_seconds = std::max(out_.report.baseline_seconds, timing.reference_trimmed_mean);
    combine_timings(out_.baseline);
    out_.baseline.check.passed = true;
    out_.baseline.check.deterministic = out_.report.deterministic;
    out_.baseline.seconds.time = watch.seconds();
    co_return true;
  }

  std::shared_ptr<Workbench> bench_;
  double llc_bytes_;
  std::shared_ptr<const DoubleReference> precise_;
  Baselined out_;
};

}  // namespace

Task<Baselined> baseline_mep(std::shared_ptr<Workbench> bench, double last_level_cache_bytes) {
  Baselining baselining(std::move(bench), last_level_cache_bytes);
  Baselined out = co_await baselining.run();
  co_return out;
}

}  // namespace noctune
