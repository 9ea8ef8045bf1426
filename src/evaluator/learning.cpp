#include "evaluator/learning.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "evaluator/invariants.hpp"
#include "mep/compare.hpp"

namespace noctune {
namespace {

class Learning {
 public:
  Learning(std::shared_ptr<Workbench> bench, MepReport report) : bench_(std::move(bench)) {
    out_.report = std::move(report);
  }

  Task<Learnt> run() {
    co_await learn();
    co_return std::move(out_);
  }

 private:
  bool refuse(Verdict verdict, std::string message, std::string diagnostics = {}) {
    out_.refused = Refusal{verdict, std::move(message), std::move(diagnostics)};
    return false;
  }

  bool original_ran(const DriverRun& run, const std::string& when) {
    out_.refused = refused_run(run, when);
    return !out_.refused;
  }

  const MepSpec& spec() const { return bench_->task().mep.spec; }
  double run_limit() const { return bench_->run_limit(out_.report.call_seconds); }

  Task<bool> learn() {
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
    out_.check_seconds += watch.seconds();
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
    out_.check_seconds += judged.seconds;
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
      const double moved =
          distance(blob.element, blob.bytes, nudged.outputs[k].bytes) * nudge_scale(resolved, blob.element);
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

  // Inputs narrower than the output can only be moved by their own, larger unit: to first order the output
  // then moves by so much more than under one unit of its own.
  static double nudge_scale(const ResolvedCase& resolved, ElementType output) {
    double widest = unit_roundoff(output);
    for (const ArgPlan& arg : resolved.args)
      if (arg.pointer && (arg.role == Role::in || arg.role == Role::inout))
        widest = std::max(widest, unit_roundoff(arg.element));
    return widest > 0 ? unit_roundoff(output) / widest : 1;
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

  std::shared_ptr<Workbench> bench_;
  std::shared_ptr<const DoubleReference> precise_;
  Learnt out_;
};

}  // namespace

Task<Learnt> learn_outputs(std::shared_ptr<Workbench> bench, MepReport report) {
  Learning learning(std::move(bench), std::move(report));
  Learnt out = co_await learning.run();
  co_return out;
}

}  // namespace noctune
