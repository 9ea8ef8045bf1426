// Each defect but the first is K(0) itself, run by the driver with spoilt arguments. A defect that changes no
// bit of any output is none (a size nobody uses, no floating-point inputs); one that changes outputs and
// still passes means that the check is blind.
#include "evaluator/mutations.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "evaluator/invariants.hpp"
#include "mep/leaves.hpp"
#include "mep/mutants.hpp"

namespace noctune {
namespace {

struct Defect {
  Mutation mutation = Mutation::none;
  int param = -1;
  std::string words;  // "a version that ..."
};

// By-value whole numbers that are a size of the spec as it stands: loops run up to these.
std::vector<Defect> defects_of(const MepSpec& spec) {
  std::vector<Defect> out;
  const std::vector<Leaf> leaves = leaves_of(spec);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].kind != Leaf::Kind::value) continue;
    const bool is_size = std::any_of(spec.sizes.begin(), spec.sizes.end(), [&](const SizeSpec& size) {
      return size.name == leaves[i].param.value;
    });
    if (is_size)
      out.push_back({Mutation::shortened, static_cast<int>(i), "leaves out the last of " + leaves[i].name});
  }
  out.push_back({Mutation::rounded, -1, "computes with inputs of half the precision"});
  return out;
}

class Probing {
 public:
  Probing(std::shared_ptr<Workbench> bench, MepReport report)
      : bench_(std::move(bench)), report_(std::move(report)) {}

  Task<MutationResult> run() {
    reference_ = co_await bench_->reference();
    bool good = co_await null();
    for (const Defect& defect : defects_of(bench_->task().mep.spec))
      if (good) good = co_await probe(defect);
    out_.refused = !good;
    co_return std::move(out_);
  }

 private:
  bool refuse(Verdict verdict, std::string message, std::string diagnostics = {}) {
    out_.verdict = verdict;
    out_.message = std::move(message);
    out_.diagnostics = std::move(diagnostics);
    return false;
  }

  double limit() const { return bench_->run_limit(report_.call_seconds); }

  Task<bool> null() {
    const Built built = co_await bench_->build_plugin("null", null_version(bench_->task().mep.spec), {});
    if (built.verdict != Verdict::ok)
      co_return refuse(built.verdict, "the version that does nothing " + built.message, built.diagnostics);
    const DriverRun run = co_await bench_->run(built.file, runs_of(bench_->plan()), limit());
    out_.null_probe.started = wall_seconds();
    out_.null_probe.verdict = run.verdict();
    if (run.verdict() != Verdict::ok)
      co_return refuse(run.verdict(), "the version that does nothing: " + run.message(), run.outcome.output);
    const CheckOutcome outcome =
        compare_reports(bench_->plan(), bench_->cases(), report_.tolerances, *reference_.report, *run.report);
    out_.null_probe.check = outcome.summary;
    out_.null_probe.verdict = outcome.summary.passed ? Verdict::ok : Verdict::wrong_result;
    out_.null_probe.message = outcome.message;
    if (outcome.summary.passed) {
      const Judgement judged = co_await judge_invariants(bench_, bench_->plan(), *reference_.report, run);
      if (judged.verdict == Verdict::lost)
        co_return refuse(Verdict::lost, judged.message, judged.diagnostics);
      out_.null_probe.check.passed = judged.verdict == Verdict::ok;
      out_.null_probe.verdict = judged.verdict;
      out_.null_probe.message = judged.message;
    }
    if (out_.null_probe.verdict == Verdict::ok)
      co_return refuse(
          Verdict::wrong_result,
          "a version that does nothing passes the check: no output shows whether the work was done; give the "
          "parameters that the entry writes the role out or inout, with their counts");
    co_return true;
  }

  // The small check cases see most defects, so the big ones run only when those do not.
  Task<bool> probe(Defect defect) {
    bool changed = false, unclear = false;  // unclear: an output that only invariants judge is another
    for (const bool timed : {false, true}) {
      std::vector<CheckItem> plan;
      DriverReport reference;
      for (std::size_t i = 0; i < bench_->plan().size(); ++i) {
        const CheckItem& item = bench_->plan()[i];
        if ((bench_->cases()[item.work_case].sized.use == CaseUse::time) != timed || item.run.threads > 0)
          continue;
        plan.push_back(item);
        reference.runs.push_back(reference_.report->runs[i]);
      }
      if (plan.empty()) continue;
      const DriverRun run = co_await bench_->run(bench_->original().file, spoilt(plan, defect), limit());
      if (run.verdict() == Verdict::lost)
        co_return refuse(Verdict::lost, "a version that " + defect.words + ": " + run.message());
      if (run.verdict() != Verdict::ok) co_return true;  // a defect that crashes is one that is seen
      const CheckOutcome outcome =
          compare_reports(plan, bench_->cases(), report_.tolerances, reference, *run.report);
      if (!outcome.summary.passed) co_return true;
      const Judgement judged = co_await judge_invariants(bench_, plan, reference, run);
      if (judged.verdict == Verdict::lost)
        co_return refuse(Verdict::lost, judged.message, judged.diagnostics);
      if (judged.verdict != Verdict::ok) co_return true;
      changed = changed || differ(plan, reference, *run.report, false);
      unclear = unclear || differ(plan, reference, *run.report, true);
    }
    if (changed || (unclear && report_.deterministic)) co_return blind(defect);
    if (unclear)
      out_.notes.push_back("a version that " + defect.words +
                           " breaks no invariant; whether it changes results cannot be told, since the "
                           "original's own differ from run to run");
    co_return true;
  }

  static std::vector<CheckRun> spoilt(const std::vector<CheckItem>& plan, const Defect& defect) {
    std::vector<CheckRun> runs = runs_of(plan);
    for (CheckRun& run : runs) {
      run.mutation = defect.mutation;
      run.only_param = defect.param;
    }
    return runs;
  }

  // Whether any output of that kind does.
  static bool differ(const std::vector<CheckItem>& plan, const DriverReport& a, const DriverReport& b,
                     bool by_invariants) {
    for (std::size_t i = 0; i < a.runs.size(); ++i)
      for (std::size_t k = 0; k < a.runs[i].outputs.size(); ++k) {
        const OutputBlob& blob = a.runs[i].outputs[k];
        const ArgPlan& arg = plan[i].run.resolved.args[static_cast<std::size_t>(blob.param)];
        if (arg.by_invariants == by_invariants && blob.bytes != b.runs[i].outputs[k].bytes) return true;
      }
    return false;
  }

  bool blind(const Defect& defect) {
    const CheckSpec& check = bench_->task().mep.spec.check;
    const std::string what = "a version that " + defect.words + " passes the check";
    if (defect.mutation == Mutation::rounded && check.tolerance) {
      out_.notes.push_back(what + ": check.tolerance allows that (" + check.tolerance_reason + ")");
      return true;
    }
    return refuse(
        Verdict::wrong_result,
        what +
            ": wrong versions could not be told from right ones; look at check.depth and "
            "check.tolerance, at what check.invariants leaves out, and at whether the inputs' range "
            "lets every term count");
  }

  std::shared_ptr<Workbench> bench_;
  MepReport report_;
  DriverRun reference_;
  MutationResult out_;
};

}  // namespace

Task<MutationResult> probe_mutations(std::shared_ptr<Workbench> bench, MepReport report) {
  Probing probing(std::move(bench), std::move(report));
  MutationResult out = co_await probing.run();
  co_return out;
}

}  // namespace noctune
