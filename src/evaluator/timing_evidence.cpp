#include "evaluator/timing_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "evaluator/checking.hpp"
#include "evaluator/gpu_throttle.hpp"
#include "evaluator/statistics.hpp"

namespace noctune {
namespace {

constexpr long long worst_disturbance = 1LL << 40;

// Lengths of the runs of one letter, e.g. 2, 1 of 'b' in "abbab".
std::vector<int> runs_of_letter(const std::string& schedule, char letter) {
  std::vector<int> out;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (schedule[i] != letter) continue;
    if (i == 0 || schedule[i - 1] != letter) out.push_back(0);
    ++out.back();
  }
  return out;
}

// What each turn took beyond its samples, per sample. The last turn may have gone unseen.
std::vector<double> beyond_samples(const std::vector<int>& runs, const std::vector<double>& turns,
                                   const std::vector<Sample>& samples) {
  std::vector<double> out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < runs.size() && i < turns.size(); ++i) {
    double reported = 0;
    for (int k = 0; k < runs[i] && next < samples.size(); ++k) reported += samples[next++].seconds;
    out.push_back((turns[i] - reported) / runs[i]);
  }
  return out;
}

double middle(std::vector<double> values) {
  return values.empty() ? 0 : median(std::move(values));
}

// What is hidden shows in every turn, while other load only ever adds to some: so the better turns count, and
// more than the best, or one honest turn would hide the others.
double low_quartile(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 4];
}

// Median absolute deviation.
double deviation(const std::vector<double>& values) {
  std::vector<double> out;
  for (const double one : values) out.push_back(std::abs(one - middle(values)));
  return middle(std::move(out));
}

std::vector<double> seconds_of(const std::vector<Sample>& samples) {
  std::vector<double> out;
  for (const Sample& sample : samples) out.push_back(sample.seconds);
  return out;
}

// An error of norm e moves a sketch by e times a standard normal number: eight of those, for two versions
// that may both be off by the tolerance.
constexpr double sketch_deviations = 16;
constexpr double sketch_rounding = 1e-12;  // of the sums themselves

bool sketches_agree(const OutputSketch& want, const OutputSketch& got, double tolerance) {
  const double norm = std::sqrt(std::max(want.squares, got.squares));
  const double allowed = std::max(sketch_deviations * tolerance, sketch_rounding) * norm;
  return want.bits == got.bits && std::abs(want.sum - got.sum) <= allowed &&
         std::abs(std::sqrt(want.squares) - std::sqrt(got.squares)) <= allowed;
}

}  // namespace

TurnEvidence turn_evidence(const std::string& schedule, const TimeReport& reference,
                           const TimeReport& candidate) {
  TurnEvidence out;
  std::vector<double> own = reference.own_turns;
  // A schedule that begins with the peer gives the reference an empty turn first.
  if (!own.empty() && !schedule.empty() && schedule[0] == 'b') own.erase(own.begin());
  const std::vector<double> beside = beyond_samples(runs_of_letter(schedule, 'a'), own, reference.samples);
  const double usual = middle(beside);
  const std::vector<double> seen =
      beyond_samples(runs_of_letter(schedule, 'b'), reference.peer_turns, candidate.samples);
  out.turns = static_cast<int>(seen.size());
  const double setup = std::max(0.0, candidate.setup_seconds - reference.setup_seconds) *
                       std::min(candidate.batch, candidate.input_sets);
  out.excess = low_quartile(seen) - usual - setup;
  out.spread = deviation(seen) + deviation(beside);
  out.median_sample = middle(seconds_of(candidate.samples));
  return out;
}

bool hides_work(const TurnEvidence& evidence) {
  return evidence.turns >= 3 &&
         evidence.excess > std::max({0.5 * evidence.median_sample, 0.3e-3, 3 * evidence.spread});
}

bool is_braked(const Sample& sample) {
  return throttle_effect(sample.throttle) == ThrottleEffect::dropped;
}

long long disturbance(const Sample& sample) {
  return sample.involuntary_switches + (is_braked(sample) ? worst_disturbance : 0);
}

std::vector<double> undisturbed(const TimeReport& report, int trim) {
  const std::size_t least = std::min(report.samples.size(), 2 * static_cast<std::size_t>(trim) + 1);
  std::vector<long long> switches;
  for (const Sample& sample : report.samples) switches.push_back(disturbance(sample));
  std::sort(switches.begin(), switches.end());
  const long long most = least > 0 ? switches[least - 1] : 0;
  std::vector<double> out;
  for (const Sample& sample : report.samples)
    if (disturbance(sample) <= most) out.push_back(sample.seconds / report.batch);
  return out;
}

double disturbed_share(const TimeReport& report) {
  const auto disturbed = std::count_if(report.samples.begin(), report.samples.end(),
                                       [](const Sample& sample) { return sample.involuntary_switches > 0; });
  return static_cast<double>(disturbed) /
         static_cast<double>(std::max<std::size_t>(report.samples.size(), 1));
}

double solo_ratio(const TimeReport& reference, const std::vector<double>& clean_samples) {
  if (reference.solo_samples.empty() || clean_samples.empty()) return 0;
  const double alone = middle(reference.solo_samples) / reference.batch;
  return alone > 0 ? middle(clean_samples) / alone : 0;
}

double drift(const std::vector<double>& samples) {
  if (samples.size() < 4) return 0;
  const auto half = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  const double first = middle({samples.begin(), half}), second = middle({half, samples.end()});
  return first > 0 && second > 0 ? std::log(second / first) : 0;
}

std::string sketch_objection(const ResolvedCase& resolved, const std::vector<OutputTolerance>& tolerances,
                             const TimeReport& reference, const TimeReport& candidate) {
  std::vector<const ArgPlan*> outputs;
  for (const ArgPlan& arg : resolved.args)
    if (arg.compared()) outputs.push_back(&arg);
  const std::size_t wanted = outputs.size() * candidate.samples.size();
  if (candidate.sketches.size() != wanted || reference.sketches.size() != wanted)
    return "what stands for the outputs of its timed calls is missing";
  // With scratch of another size the two sides may hold another number of argument sets, and so other inputs.
  if (reference.input_sets != candidate.input_sets) return {};
  const double growth =
      candidate.restored ? 1 : std::ceil(static_cast<double>(candidate.batch) / candidate.input_sets);
  for (std::size_t i = 0; i < wanted; ++i) {
    const ArgPlan& arg = *outputs[i % outputs.size()];
    if (arg.by_invariants) continue;
    const double tolerance = growth * tolerance_of(tolerances, resolved.name, arg.name);
    if (!sketches_agree(reference.sketches[i], candidate.sketches[i], tolerance))
      return "right when checked, wrong in timed sample " + std::to_string(i / outputs.size()) + ": its " +
             arg.name + " differs from the reference's on the same inputs";
  }
  return {};
}

}  // namespace noctune
