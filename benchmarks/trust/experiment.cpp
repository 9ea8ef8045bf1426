#include "trust/experiment.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "evaluator/evaluator.hpp"
#include "evaluator/statistics.hpp"
#include "trust/kernel.hpp"

namespace noctune::trust {
namespace {

constexpr int calibration_repeats = 400;
constexpr int tries_when_lost = 2;  // as the flow does

EvaluationTask task_for(const PrepareTask& setup, const Baselined& baselined, int number) {
  EvaluationTask task;
  task.setup = setup;
  task.report = baselined.report;
  task.reference = kernel_original(setup);
  task.candidate = kernel_candidate(number);
  task.known_binaries[baselined.baseline.binary_sha] = task.reference.id;
  return task;
}

Task<Evaluation> evaluated(Evaluator& evaluator, EvaluationTask task) {
  Evaluation out;
  for (int i = 0; i < tries_when_lost && out.verdict == Verdict::lost; ++i) {
    EvaluationTask again = task;
    out = co_await evaluator.evaluate(std::move(again));
  }
  co_return out;
}

std::string problem_of(const Evaluation& evaluation) {
  return std::string(to_text(evaluation.verdict)) + ": " + evaluation.message;
}

void take_screening(Experiment& out, const Evaluation& screening, double seconds) {
  // A second try of a pair is part of what a candidate costs.
  out.build_s = screening.seconds.build;
  out.check_and_screen_s = seconds - screening.seconds.build;
  out.screened = screening.speedup;
  out.screened_low = screening.interval_low;
  out.screened_high = screening.interval_high;
  out.promoted = time_saved(screening.speedup) > out.smallest_gain;
  out.finalist = screening.speedup > 1;
  out.timings = screening.timings;
}

// Also keeps the samples of every pair.
Task<Confirmation> confirmed(Evaluator& evaluator, EvaluationTask task, std::vector<TimingSummary>& timings) {
  std::vector<Evaluation> pairs;
  task.purpose = Purpose::confirm;
  for (task.process = 0; task.process < task.setup.search.confirm_pairs; ++task.process) {
    Evaluation pair = co_await evaluated(evaluator, task);
    timings.insert(timings.end(), pair.timings.begin(), pair.timings.end());
    pairs.push_back(std::move(pair));
  }
  co_return confirmation_of(pairs);
}

}  // namespace

Task<Experiment> run_experiment(Bench& bench, int planted, int number, Settings settings) {
  const Stopwatch total;
  Experiment out;
  out.planted = planted;
  out.number = number;
  Evaluator evaluator(bench);
  const PrepareTask setup = kernel_task(planted, settings.kernel_ms, settings.repeats, settings.flush_mb);
  const Baselined baselined = co_await evaluator.prepare(setup);
  out.kernel_s = baselined.report.baseline_seconds;
  out.spread = baselined.report.spread;
  out.smallest_gain = smallest_gain(setup.search, out.spread);
  if (!baselined.report.usable) {
    out.problem = baselined.report.message;
    co_return out;
  }
  const EvaluationTask task = task_for(setup, baselined, number);
  const Stopwatch watch;
  const Evaluation screening = co_await evaluated(evaluator, task);
  if (screening.verdict != Verdict::ok) {
    out.problem = problem_of(screening);
    co_return out;
  }
  take_screening(out, screening, watch.seconds());
  if (out.finalist || settings.confirm_all) {
    out.confirmation = co_await confirmed(evaluator, task, out.timings);
    if (!out.confirmation.complete()) out.problem = "its confirmation was refused or lost";
  }
  out.total_s = total.seconds();
  co_return out;
}

void conclude_campaign(std::vector<Experiment>& hotspots) {
  std::vector<double> p_values;
  for (const Experiment& one : hotspots)
    p_values.push_back(one.finalist && one.problem.empty() ? hotspot_p_value(one.confirmation, 1) : 1);
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < hotspots.size(); ++i) {
    hotspots[i].adjusted_p = adjusted[i];
    hotspots[i].verdict = judge_gain(hotspots[i].confirmation, adjusted[i], SearchSettings().min_gain);
  }
}

Task<Calibration> calibrate(Bench& bench, int planted, Settings settings) {
  Calibration out;
  out.planted = planted;
  Evaluator evaluator(bench);
  PrepareTask setup = kernel_task(planted, settings.kernel_ms, settings.repeats, settings.flush_mb);
  const Baselined baselined = co_await evaluator.prepare(setup);
  out.problem = baselined.report.usable ? "" : baselined.report.message;
  if (!out.problem.empty()) co_return out;
  setup.search.repeats = calibration_repeats;
  setup.search.trim = calibration_repeats / 4;  // the middle half: bursts of others do not count
  const EvaluationTask task = task_for(setup, baselined, 0);
  const Evaluation long_run = co_await evaluated(evaluator, task);
  if (long_run.verdict != Verdict::ok) out.problem = problem_of(long_run);
  out.kernel_s = baselined.report.baseline_seconds;
  out.speedup = long_run.speedup;
  out.low = long_run.interval_low;
  out.high = long_run.interval_high;
  co_return out;
}

}  // namespace noctune::trust
