#include "evaluator/timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "evaluator/statistics.hpp"
#include "evaluator/timing_evidence.hpp"

namespace noctune {
namespace {

// The reference may be this much slower beside the candidate than alone, and drift so much within a pair,
// before the pair is repeated; three spreads of the device on top.
constexpr double tolerated_handicap = 0.25;
constexpr double tolerated_drift = 0.1;
constexpr int solo_samples = 5;
// So much larger a share of disturbed samples than the reference's is the candidate's own doing.
constexpr double own_disturbance = 0.3;

// What may pass between readings of the two clocks when a processor goes to other work just there. That is a
// rare place to be interrupted at, so it is granted a few times however many samples were disturbed: a lie of
// a slice in every sample would else pass beside heavy load.
constexpr double time_slice_s = 0.01;
constexpr double slices_between_readings = 3;

// The sum of the samples and the wall time around them, taken by another clock, must agree this well.
constexpr double clock_disagreement = 0.1;

std::vector<double> per_call(const TimeReport& report) {
  std::vector<double> out;
  for (const Sample& sample : report.samples) out.push_back(sample.seconds / report.batch);
  return out;
}

std::string doubt(const TimeReport& report, std::size_t expected, double process_seconds) {
  if (report.samples.size() != expected) return "samples are missing";
  double sum = 0;
  for (const Sample& sample : report.samples) {
    if (!(sample.seconds > 0) || !std::isfinite(sample.seconds)) return "a sample is not a positive time";
    sum += sample.seconds;
  }
  const double disturbed = disturbed_share(report) * static_cast<double>(expected);
  const double allowed = clock_disagreement * report.timed_wall_seconds + 1e-4 +
                         time_slice_s * std::min(disturbed, slices_between_readings);
  if (std::abs(sum - report.timed_wall_seconds) > allowed) return "two clocks disagree about the timed calls";
  if (sum > process_seconds) return "the samples add up to more than the process's life";
  return {};
}

DeviceReadings device_readings(const TimeReport& report) {
  DeviceReadings out;
  const bool known = std::any_of(report.samples.begin(), report.samples.end(), [](const Sample& sample) {
    return sample.clock_hz >= 0 || sample.throttle >= 0;
  });
  if (!known) return out;
  for (const Sample& sample : report.samples) {
    out.clocks.push_back(sample.clock_hz);
    out.throttles.push_back(static_cast<double>(sample.throttle));
  }
  return out;
}

// Too few samples of a side are left to speak for it.
bool mostly_braked(const TimeReport& report) {
  const auto braked = std::count_if(report.samples.begin(), report.samples.end(), is_braked);
  return 2 * static_cast<std::size_t>(braked) > report.samples.size();
}

bool any_by_invariants(const WorkCase& work) {
  const std::vector<ArgPlan>& args = work.by_seed[0].args;
  return std::any_of(args.begin(), args.end(), [](const ArgPlan& arg) { return arg.by_invariants; });
}

// Disturbed samples as capitals.
std::string marked(std::string schedule, const TimeReport& reference, const TimeReport& candidate) {
  std::size_t a = 0, b = 0;
  for (char& turn : schedule) {
    const Sample& sample = turn == 'a' ? reference.samples[a++] : candidate.samples[b++];
    if (disturbance(sample) > 0) turn = turn == 'a' ? 'A' : 'B';
  }
  return schedule;
}

void note_doubts(const TimingRules& rules, const TurnEvidence& turns, Timed& timed) {
  const TimingSummary& summary = timed.summary;
  char text[200] = "";
  if (hides_work(turns)) {
    timed.doubt = Doubt::hidden_work;
    std::snprintf(text, sizeof text,
                  "it reports %.3g ms a sample, and a clock outside of its process saw %.3g ms more",
                  1e3 * turns.median_sample, 1e3 * turns.excess);
  } else if (summary.solo_ratio > 1 + tolerated_handicap + 3 * rules.spread) {
    timed.doubt = Doubt::handicapped;
    std::snprintf(text, sizeof text, "the reference ran %.2f times as long beside it as alone",
                  summary.solo_ratio);
  } else if (std::abs(summary.drift) > tolerated_drift + 3 * rules.spread) {
    timed.doubt = Doubt::drifted;
    std::snprintf(text, sizeof text, "the machine drifted by %.0f %% meanwhile",
                  100 * std::abs(std::expm1(summary.drift)));
  }
  timed.doubt_text = text;
}

struct Refusal {
  Verdict verdict = Verdict::ok;
  std::string message;
};

Refusal of_the_processes(const DriverRun& reference, const DriverRun& candidate) {
  const Verdict a = reference.verdict(), b = candidate.verdict();
  if (b != Verdict::ok && b != Verdict::lost) return {b, "while being timed: " + candidate.message()};
  if (a != Verdict::ok) return {Verdict::lost, "the reference: " + reference.message()};
  if (b != Verdict::ok) return {Verdict::lost, candidate.message()};
  if (!reference.report->time || !candidate.report->time)
    return {Verdict::run_failed, "the timing result is missing"};
  return {};
}

// The report comes from the process that ran the candidate: what it says of the run must be what was asked.
bool fits(const WorkCase& work, const TimeReport& reference, const TimeReport& candidate) {
  if (candidate.batch != work.sized.batch || reference.batch != candidate.batch) return false;
  const auto& verified = candidate.verified;
  return !verified ||
         (verified->case_index >= 0 && static_cast<std::size_t>(verified->case_index) < work.by_seed.size() &&
          verified->calls >= 1 && verified->calls <= candidate.batch);
}

Refusal of_the_reports(const WorkCase& work, const TimingPlan& plan, const DriverRun& a, const DriverRun& b) {
  const auto expected = static_cast<std::size_t>(plan.repeats);
  const TimeReport &reference = *a.report->time, &candidate = *b.report->time;
  if (mostly_braked(reference) || mostly_braked(candidate))
    return {Verdict::lost, "the device slowed itself down, as hot or overloaded hardware does"};
  if (const std::string why = doubt(reference, expected, a.outcome.seconds); !why.empty())
    return {Verdict::lost, "the reference's times cannot be believed: " + why};
  if (const std::string why = doubt(candidate, expected, b.outcome.seconds); !why.empty())
    return {Verdict::unstable, "its times cannot be believed: " + why};
  if (!fits(work, reference, candidate))
    return {Verdict::run_failed, "the timing result does not fit what was asked"};
  return {};
}

Refusal of_the_calls(const WorkCase& work, const TimingRules& rules, const DriverRun& a, const DriverRun& b) {
  const TimeReport& candidate = *b.report->time;
  if (!candidate.guards_ok || !candidate.inputs_ok)
    return {Verdict::wrong_result,
            "after the timed calls: " + candidate.guard_message + candidate.input_message};
  if (const std::string why = left_behind(*b.report, rules.allowed); !why.empty())
    return {Verdict::rejected, why};
  const std::string why = sketch_objection(work.by_seed[0], rules.tolerances, *a.report->time, candidate);
  return {why.empty() ? Verdict::ok : Verdict::wrong_result, why};
}

TimingSummary summarised(const WorkCase& work, const TimingPlan& plan, const TimeReport& reference,
                         const TimeReport& candidate) {
  TimingSummary out;
  out.case_name = work.sized.name;
  out.weight = work.sized.weight;
  out.batch = candidate.batch;
  out.samples = per_call(candidate);
  out.reference_samples = per_call(reference);
  out.device = device_readings(candidate);
  out.reference_device = device_readings(reference);
  out.schedule = marked(random_schedule(plan.repeats, plan.order_seed), reference, candidate);
  const std::vector<double> a = undisturbed(reference, plan.trim);
  // A version that crowds its own processors disturbs itself: that is its time.
  const bool by_itself = disturbed_share(candidate) > disturbed_share(reference) + own_disturbance;
  const std::vector<double> b = by_itself ? out.samples : undisturbed(candidate, plan.trim);
  out.trimmed_mean = trimmed_mean(b, plan.trim);
  out.median = median(out.samples);
  out.minimum = *std::min_element(out.samples.begin(), out.samples.end());
  out.reference_trimmed_mean = trimmed_mean(a, plan.trim);
  out.speedup = out.reference_trimmed_mean / out.trimmed_mean;
  const Interval interval = bootstrap_speedup(a, b, plan.trim, plan.order_seed);
  out.interval_low = interval.low;
  out.interval_high = interval.high;
  out.solo_ratio = solo_ratio(reference, a);
  out.drift = drift(a);
  for (const TimeReport* side : {&reference, &candidate})
    for (const Sample& sample : side->samples) out.disturbed += disturbance(sample) > 0;
  return out;
}

}  // namespace

std::string random_schedule(int rounds, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::string out;
  for (int i = 0; i < rounds; ++i) out += engine() & 1 ? "ab" : "ba";
  return out;
}

TimeRun timing_run(const WorkCase& work, const TimingPlan& plan) {
  TimeRun run;
  run.cases = work.by_seed;
  run.seed = work.by_seed[0].seed;
  run.batch = work.sized.batch;
  run.schedule = random_schedule(plan.repeats, plan.order_seed);
  run.flush_bytes = plan.flush_bytes;
  // Late enough that a version which is right only at first is found out; the same for every candidate, so
  // that the reference outputs are computed once. Of outputs that only invariants judge no other sample is
  // looked at: there it is one that nobody can foresee.
  run.verify_sample = any_by_invariants(work)
                          ? static_cast<int>(plan.order_seed % static_cast<unsigned>(plan.repeats))
                          : plan.repeats - 2;
  run.solo_samples = solo_samples;
  return run;
}

Timed judge_timing(const WorkCase& work, const TimingPlan& plan, const TimingRules& rules,
                   DriverRunner::Pair pair) {
  Timed out;
  for (DriverRun* side : {&pair.a, &pair.b})
    if (side->report && side->report->time) tag_samples(*side->report->time, pair.readings);
  out.candidate = std::move(pair.b);
  Refusal refusal = of_the_processes(pair.a, out.candidate);
  if (refusal.verdict == Verdict::ok) refusal = of_the_reports(work, plan, pair.a, out.candidate);
  if (refusal.verdict == Verdict::ok) refusal = of_the_calls(work, rules, pair.a, out.candidate);
  out.verdict = refusal.verdict;
  out.message = std::move(refusal.message);
  if (out.verdict != Verdict::ok) return out;
  const TimeReport &reference = *pair.a.report->time, &candidate = *out.candidate.report->time;
  out.summary = summarised(work, plan, reference, candidate);
  const std::string schedule = random_schedule(plan.repeats, plan.order_seed);
  note_doubts(rules, turn_evidence(schedule, reference, candidate), out);
  return out;
}

void count_reference_alone(TimingSummary& summary) {
  if (summary.solo_ratio <= 1) return;
  for (double* value :
       {&summary.reference_trimmed_mean, &summary.speedup, &summary.interval_low, &summary.interval_high})
    *value /= summary.solo_ratio;
}

bool less_doubtful(const Timed& one, const Timed& other) {
  if (one.doubt != other.doubt) return one.doubt < other.doubt;
  return std::abs(one.summary.drift) < std::abs(other.summary.drift);
}

void combine_timings(Evaluation& evaluation) {
  double weight = 0, middle = 0, low = 0, high = 0;
  for (const TimingSummary& timing : evaluation.timings) {
    weight += timing.weight;
    middle += timing.weight * std::log(timing.speedup);
    low += timing.weight * std::log(timing.interval_low);
    high += timing.weight * std::log(timing.interval_high);
  }
  if (weight <= 0) return;
  evaluation.speedup = std::exp(middle / weight);
  evaluation.interval_low = std::exp(low / weight);
  evaluation.interval_high = std::exp(high / weight);
}

}  // namespace noctune
