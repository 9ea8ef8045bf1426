#include "trust/experiment.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "evaluator/statistics.hpp"

namespace noctune::trust {
namespace {

constexpr int calibration_repeats = 400;
constexpr int tries_when_lost = 2;  // as the flow does

EvaluationTask task_for(const Original& original, int number) {
  EvaluationTask task;
  task.setup = original.setup;
  task.report = original.baselined.report;
  task.reference = kernel_original(original.setup);
  task.candidate = kernel_candidate(original.kernel, number);
  task.known_binaries[original.baselined.baseline.binary_sha] = task.reference.id;
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

void take_screening(Experiment& out, const Evaluation& screening) {
  // A second try of a pair is part of what a candidate costs; waiting for others is not.
  out.build_s = screening.seconds.build;
  out.check_and_screen_s = screening.seconds.check + screening.seconds.time;
  out.screened = screening.speedup;
  out.screened_low = screening.interval_low;
  out.screened_high = screening.interval_high;
  out.promoted = time_saved(screening.speedup) > out.smallest_gain;
  out.finalist = screening.speedup > 1;
  out.timings = screening.timings;
  out.batch = screening.timings.front().batch;
}

bool confirms(Confirm which, const Experiment& one) {
  return which == Confirm::all || (which == Confirm::finalists && one.finalist) ||
         (which == Confirm::promoted && one.promoted);
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

Task<std::shared_ptr<Original>> completed(Bench& bench, Kernel kernel, int planted, Measuring measuring) {
  auto out = std::make_shared<Original>(bench);
  out->kernel = kernel;
  out->planted = planted;
  out->setup = kernel_task(kernel, planted, measuring);
  out->baselined = co_await out->evaluator.prepare(out->setup);
  co_return out;
}

Task<Experiment> run_experiment(std::shared_ptr<Original> original, int number, Settings settings) {
  const Stopwatch total;
  const MepReport& report = original->baselined.report;
  Experiment out;
  out.kernel = original->kernel;
  out.planted = original->planted;
  out.number = number;
  out.kernel_s = report.baseline_seconds;
  out.spread = report.spread;
  out.smallest_gain = smallest_gain(original->setup.search, out.spread);
  if (!report.usable) {
    out.problem = report.message;
    co_return out;
  }
  const EvaluationTask task = task_for(*original, number);
  const Evaluation screening = co_await evaluated(original->evaluator, task);
  if (screening.verdict != Verdict::ok) {
    out.problem = problem_of(screening);
    co_return out;
  }
  take_screening(out, screening);
  if (confirms(settings.confirm, out)) {
    out.confirmation = co_await confirmed(original->evaluator, task, out.timings);
    if (!out.confirmation.complete()) out.problem = "its confirmation was refused or lost";
  }
  out.total_s = total.seconds();
  co_return out;
}

void conclude_campaign(std::vector<Experiment>& hotspots, std::size_t size) {
  std::vector<double> p_values(std::max(size, hotspots.size()), 1.0);
  for (std::size_t i = 0; i < hotspots.size(); ++i) {
    const Experiment& one = hotspots[i];
    if (one.finalist && one.problem.empty() && one.confirmation.complete())
      p_values[i] = hotspot_p_value(one.confirmation, 1);
  }
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < hotspots.size(); ++i) {
    hotspots[i].adjusted_p = adjusted[i];
    hotspots[i].verdict = judge_gain(hotspots[i].confirmation, adjusted[i], SearchSettings().min_gain);
  }
}

Task<Calibration> calibrate(std::shared_ptr<Original> original) {
  Calibration out;
  out.kernel = original->kernel;
  out.planted = original->planted;
  const MepReport& report = original->baselined.report;
  out.kernel_s = report.baseline_seconds;
  out.problem = report.usable ? "" : report.message;
  if (!out.problem.empty()) co_return out;
  EvaluationTask task = task_for(*original, 0);
  task.setup.search.repeats = calibration_repeats;
  task.setup.search.trim = calibration_repeats / 4;  // the middle half: bursts of others do not count
  const Evaluation long_run = co_await evaluated(original->evaluator, task);
  if (long_run.verdict != Verdict::ok) out.problem = problem_of(long_run);
  out.speedup = long_run.speedup;
  out.low = long_run.interval_low;
  out.high = long_run.interval_high;
  co_return out;
}

}  // namespace noctune::trust
