#include "coordinator/measuring.hpp"

#include "base/digest.hpp"
#include "model/settings_json.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

// What our own trouble cut short is tried once more.
constexpr int tries_when_lost = 2;

// Part of every key: verdicts of gates that were less strict are not taken over from earlier runs. To be
// raised when a gate comes to judge otherwise, or MepReport changes.
constexpr const char* gates_version = "gates 4";

std::string platform_text(const PrepareTask& task, const DeviceFacts& device) {
  return gates_version + Json(task.platform).dump() + device.name + device.compiler +
         std::to_string(device.measured_cpus.size());
}

Baselined refused_as(Evaluation known) {
  Baselined out;
  out.report.failure = known.verdict;
  out.report.message = known.message;
  out.report.diagnostics = known.diagnostics;
  out.baseline = std::move(known);
  return out;
}

}  // namespace

std::string baseline_key(const PrepareTask& task, const DeviceFacts& device) {
  return "baseline/" + sha256(task.mep.sha() + platform_text(task, device) + Json(task.mep_limits).dump() +
                              std::to_string(task.search.repeats) + "/" + std::to_string(task.search.trim));
}

std::string evaluation_key(const EvaluationTask& task, const DeviceFacts& device) {
  const std::string what =
      task.candidate.sha + task.reference.sha + task.setup.mep.sha() + to_json(task.report)["cases"].dump() +
      platform_text(task.setup, device) + Json(task.report.seeds).dump() + Json(task.setup.limits).dump() +
      std::to_string(task.setup.search.repeats) + "/" + std::to_string(task.setup.search.trim) + "/" +
      task.candidate.arm + "/" + std::to_string(task.candidate.replicate);
  return std::string(to_text(task.purpose)) + "/" + std::to_string(task.process) + "/" + sha256(what);
}

Task<Baselined> Measuring::baseline(PrepareTask task, Candidate original, bool remembers_refusals) {
  const std::string key = baseline_key(task, service_.devices().front());
  if (std::optional<Evaluation> known = memory_.known(key)) {
    Baselined done;
    done.report = mep_report_from(Json::parse(known->diagnostics));
    done.baseline = std::move(*known);
    co_return done;
  }
  if (remembers_refusals)
    if (std::optional<Evaluation> known = memory_.known(key + "/refused");
        known && known->verdict != Verdict::lost && known->verdict != Verdict::ok)
      co_return refused_as(std::move(*known));
  Baselined done = co_await service_.prepare(task);
  if (!done.report.usable && done.report.failure == Verdict::lost && !stopping_())
    done = co_await service_.prepare(task);
  if (stopping_() && !done.report.usable && done.report.failure == Verdict::lost) throw StopRequested();
  if (done.report.usable) memory_.null_probe(hotspot_, original.id, key + "/null", done.null_probe);
  EvaluationTask row;
  row.setup = task;
  row.candidate = row.reference = original;
  row.purpose = Purpose::baseline;
  Evaluation stored = done.baseline;
  // The report is the evaluation's text: a resumed run takes sizes, seeds and tolerances from it.
  if (done.report.usable) stored.diagnostics = to_json(done.report).dump();
  memory_.evaluation(hotspot_, row, done.report.usable ? key : key + "/refused", stored);
  co_return done;
}

Task<Evaluation> Measuring::evaluate(EvaluationTask task) {
  const std::string key = evaluation_key(task, service_.devices().front());
  if (std::optional<Evaluation> known = memory_.known(key)) co_return std::move(*known);
  Evaluation evaluation;
  for (int attempt = 0; attempt < tries_when_lost; ++attempt) {
    if (stopping_()) throw StopRequested();
    // Named, or the copy of the task would stay until the answer is there.
    Task<Evaluation> answer = service_.evaluate(task);
    evaluation = co_await std::move(answer);
    const bool lost = evaluation.verdict == Verdict::lost;
    if (stopping_() && lost) throw StopRequested();
    memory_.evaluation(hotspot_, task, lost ? key + "/lost/" + std::to_string(attempt) : key, evaluation);
    if (!lost) break;
    memory_.event(hotspot_, true,
                  "candidate " + std::to_string(task.candidate.id) +
                      " could not be judged, through no fault of its own: " + evaluation.message);
  }
  co_return evaluation;
}

std::optional<Evaluation> Measuring::known(const EvaluationTask& task, const std::string& key_suffix) const {
  return memory_.known(evaluation_key(task, service_.devices().front()) + key_suffix);
}

void Measuring::note(const EvaluationTask& task, const std::string& key_suffix,
                     const Evaluation& evaluation) {
  memory_.evaluation(hotspot_, task, evaluation_key(task, service_.devices().front()) + key_suffix,
                     evaluation);
}

}  // namespace noctune
