#include "evaluator/invariants.hpp"

#include "base/process_types.hpp"

namespace noctune {
namespace {

// The bytes of a run's outputs, one for each compared parameter; false when they are not those.
bool add_outputs(const CheckItem& planned, const CheckRunReport& report, JudgeRun& work) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < planned.run.resolved.args.size(); ++i) {
    const ArgPlan& arg = planned.run.resolved.args[i];
    if (!arg.compared()) continue;
    if (next == report.outputs.size()) return false;
    const OutputBlob& blob = report.outputs[next++];
    const bool expected = blob.param == static_cast<int>(i) && blob.element == arg.element &&
                          static_cast<double>(blob.bytes.size()) == arg.bytes();
    if (!expected) return false;
    work.outputs.push_back(blob.bytes);
  }
  return next == report.outputs.size();
}

Judgement wrong(std::string message, std::string diagnostics = {}) {
  return {Verdict::wrong_result, std::move(message), std::move(diagnostics), 0};
}

Judgement first_broken(const std::vector<const CheckItem*>& judged, const DriverReport& report) {
  if (report.judged.size() != judged.size())
    return {Verdict::lost, "the invariants were not judged to the end", {}, 0};
  for (std::size_t i = 0; i < judged.size(); ++i)
    if (!report.judged[i].holds) {
      const std::string why = printable(report.judged[i].why);
      return wrong(place(*judged[i]) +
                   ": invariant: " + (why.empty() ? "broken; the check does not say why" : why));
    }
  return {};
}

Judgement judgement_of(const std::string& file, const std::vector<const CheckItem*>& judged,
                       const DriverRun& run) {
  const Verdict verdict = run.verdict();
  if (verdict == Verdict::ok) return first_broken(judged, *run.report);
  const std::string message = file + ", asked about the outputs: " + run.message();
  if (verdict == Verdict::lost) return {Verdict::lost, message, run.outcome.output, 0};
  return wrong(message, run.outcome.output);
}

}  // namespace

Task<Judgement> judge_invariants(std::shared_ptr<Workbench> bench, std::vector<CheckItem> plan,
                                 DriverReport original, DriverRun made) {
  const std::string file = bench->task().mep.spec.check.invariants;
  Judgement out;
  if (file.empty()) co_return out;
  const DriverReport& report = *made.report;
  JudgeRun work;
  std::vector<const CheckItem*> judged;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (i >= report.runs.size() || i >= original.runs.size()) co_return wrong("a result is missing");
    if (left_out(plan[i], original.runs[i])) continue;
    if (!add_outputs(plan[i], report.runs[i], work))
      co_return wrong(place(plan[i]) + ": an output is missing");
    work.runs.push_back(plan[i].run);
    judged.push_back(&plan[i]);
  }
  if (judged.empty()) co_return out;
  const DriverRun run = co_await bench->judge(std::move(work));
  out = judgement_of(file, judged, run);
  out.seconds = run.outcome.seconds;
  co_return out;
}

Task<Judgement> judge_timed(std::shared_ptr<Workbench> bench, CheckItem item, DriverRun original,
                            DriverRun timed) {
  const TimeReport time = *timed.report->time;
  timed.report->runs.assign(1, CheckRunReport{});
  timed.report->runs[0].outputs = time.verified->outputs;
  std::vector<CheckItem> plan;
  plan.push_back(std::move(item));
  if (!time.restored && time.verified->calls > 1) {
    Judgement own = co_await judge_invariants(bench, plan, *original.report, original);
    if (own.verdict == Verdict::wrong_result) co_return Judgement{};
    if (own.verdict != Verdict::ok) co_return own;
  }
  Judgement out = co_await judge_invariants(bench, plan, *original.report, timed);
  co_return out;
}

}  // namespace noctune
