#include "evaluator/timing_evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Sample sample(double seconds) {
  Sample out;
  out.seconds = seconds;
  return out;
}

// A pair on schedule `schedule`: each turn costs `overhead` a sample beside the calls, of `a` and `b`
// seconds, of which `b` reports `b_reported`.
struct Reports {
  TimeReport reference, candidate;
};
Reports pair(const std::string& schedule, double a, double b, double b_reported, double overhead) {
  Reports out;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const bool first = i == 0 || schedule[i] != schedule[i - 1], own = schedule[i] == 'a';
    if (i == 0 && !own) out.reference.own_turns.push_back(1e-7);
    std::vector<double>& turns = own ? out.reference.own_turns : out.reference.peer_turns;
    if (first) turns.push_back(0);
    turns.back() += overhead + (own ? a : b);
    (own ? out.reference : out.candidate).samples.push_back(sample(own ? a : b_reported));
  }
  return out;
}

const char* const schedule = "abbabaabbaabbabaabab";

TEST(TurnEvidence, HonestSidesShowNoExcess) {
  for (const std::string& order : {std::string(schedule), "b" + std::string(schedule)}) {
    const Reports reports = pair(order, 1e-3, 0.25e-3, 0.25e-3, 2e-3);
    const TurnEvidence evidence = turn_evidence(order, reports.reference, reports.candidate);
    EXPECT_NEAR(evidence.excess, 0, 1e-9);
    EXPECT_NEAR(evidence.median_sample, 0.25e-3, 1e-12);
    EXPECT_FALSE(hides_work(evidence));
  }
}

TEST(TurnEvidence, WorkThatIsNotReportedShows) {
  const Reports reports = pair(schedule, 1e-3, 1e-3, 0.05e-3, 2e-3);
  const TurnEvidence evidence = turn_evidence(schedule, reports.reference, reports.candidate);
  EXPECT_NEAR(evidence.excess, 0.95e-3, 1e-9);
  EXPECT_TRUE(hides_work(evidence));
}

TEST(TurnEvidence, OtherLoadInSomeTurnsProvesNothing) {
  Reports reports = pair(schedule, 1e-3, 1e-3, 1e-3, 2e-3);
  for (std::size_t i = 0; i < reports.reference.peer_turns.size(); i += 2)
    reports.reference.peer_turns[i] += 8e-3;
  EXPECT_FALSE(hides_work(turn_evidence(schedule, reports.reference, reports.candidate)));
}

TEST(TurnEvidence, TooFewTurnsProveNothing) {
  const Reports reports = pair("abab", 1e-3, 1e-3, 0.05e-3, 2e-3);
  EXPECT_FALSE(hides_work(turn_evidence("abab", reports.reference, reports.candidate)));
}

TEST(SoloRatio, ComparesMedians) {
  TimeReport reference;
  EXPECT_EQ(solo_ratio(reference, {2e-3}), 0);
  reference.solo_samples = {1e-3, 1e-3, 9e-3};
  EXPECT_NEAR(solo_ratio(reference, {2e-3, 2e-3, 7e-3}), 2, 1e-12);
  reference.batch = 10;
  EXPECT_NEAR(solo_ratio(reference, {2e-4, 2e-4, 7e-4}), 2, 1e-12);
}

TEST(Undisturbed, LeavesOutSamplesThatMeasuredOtherWork) {
  TimeReport report;
  for (const long long switches : {0, 3, 0, 1, 0}) {
    report.samples.push_back(sample(switches > 0 ? 9 : 1));
    report.samples.back().involuntary_switches = switches;
  }
  EXPECT_THAT(undisturbed(report, 1), ::testing::ElementsAre(1, 1, 1));
  EXPECT_THAT(undisturbed(report, 0), ::testing::ElementsAre(1, 1, 1));
  EXPECT_NEAR(disturbed_share(report), 0.4, 1e-12);
}

TEST(Undisturbed, KeepsTheLeastDisturbedWhereTooFewAreClean) {
  TimeReport report;
  for (const long long switches : {5, 1, 2, 9, 2}) {
    report.samples.push_back(sample(static_cast<double>(switches)));
    report.samples.back().involuntary_switches = switches;
  }
  EXPECT_THAT(undisturbed(report, 1), ::testing::ElementsAre(1, 2, 2));
}

TEST(Undisturbed, CountsABrakedDeviceAsWorseThanAnySwitch) {
  TimeReport report;
  for (const long long throttle : {0, 0x8, 0x4, 0, 0x40}) {
    report.samples.push_back(sample(static_cast<double>(throttle)));
    report.samples.back().throttle = throttle;
    report.samples.back().involuntary_switches = throttle == 0 ? 7 : 0;
  }
  EXPECT_FALSE(is_braked(report.samples[2]));  // at its power cap: it counts
  EXPECT_THAT(undisturbed(report, 1), ::testing::ElementsAre(0, 4, 0));
}

TEST(Drift, IsTheLogRatioOfTheHalves) {
  EXPECT_EQ(drift({1, 1}), 0);
  EXPECT_NEAR(drift({1, 1, 1, 2, 2, 2}), std::log(2), 1e-12);
}

ResolvedCase one_output(Role role = Role::out) {
  ArgPlan arg;
  arg.name = "y";
  arg.pointer = true;
  arg.count = 1000;
  arg.role = role;
  ResolvedCase out;
  out.name = "c";
  out.args = {arg};
  return out;
}

Reports sketched(double a, double b, std::uint64_t bits_a = 0, std::uint64_t bits_b = 0) {
  Reports out;
  out.reference.samples = out.candidate.samples = {sample(1), sample(1)};
  out.reference.sketches = {{5, 1000, 0}, {a, 1000, bits_a}};
  out.candidate.sketches = {{5, 1000, 0}, {b, 1000, bits_b}};
  return out;
}

std::string objection(const Reports& reports, double tolerance = 1e-12) {
  const std::vector<OutputTolerance> tolerances = {{"c", "y", tolerance, 0, 0, {}}};
  return sketch_objection(one_output(), tolerances, reports.reference, reports.candidate);
}

TEST(Sketches, AgreeWithinTheToleranceAndNameTheSampleWhereTheyDoNot) {
  EXPECT_THAT(objection(sketched(7, 7)), IsEmpty());
  EXPECT_THAT(objection(sketched(7, 7 + 1e-10)), IsEmpty());
  EXPECT_THAT(objection(sketched(7, 7.001)), HasSubstr("timed sample 1: its y differs"));
  EXPECT_THAT(objection(sketched(7, 7.001), 1e-4), IsEmpty());
  EXPECT_THAT(objection(sketched(7, 7, 1, 2)), HasSubstr("timed sample 1"));
  EXPECT_THAT(objection(sketched(7, NAN)), HasSubstr("timed sample 1"));
}

TEST(Sketches, MissingOnesAreAnObjectionAndOtherInputSetsAreNone) {
  Reports reports = sketched(7, 9);
  reports.candidate.input_sets = 2;
  EXPECT_THAT(objection(reports), IsEmpty());
  reports = sketched(7, 7);
  reports.candidate.sketches.pop_back();
  EXPECT_THAT(objection(reports), HasSubstr("missing"));
}

TEST(Sketches, OfWhatInvariantsJudgeOnlyCount) {
  Reports reports = sketched(7, 9);
  const std::vector<OutputTolerance> tolerances = {{"c", "y", 1e-12, 0, 0, {}}};
  ResolvedCase resolved = one_output();
  ArgPlan second = resolved.args[0];
  second.name = "z";
  second.by_invariants = true;
  resolved.args.insert(resolved.args.begin(), second);
  auto objection_to = [&](double z, double y) {
    reports.reference.sketches = {{1, 1000, 0}, {2, 1000, 0}, {3, 1000, 0}, {4, 1000, 0}};
    reports.candidate.sketches = {{1, 1000, 0}, {2, 1000, 0}, {z, 1000, 7}, {y, 1000, 0}};
    return sketch_objection(resolved, tolerances, reports.reference, reports.candidate);
  };
  EXPECT_THAT(objection_to(5, 4), IsEmpty());
  EXPECT_THAT(objection_to(3, 5), HasSubstr("timed sample 1: its y differs"));
  reports.reference.sketches.pop_back();
  EXPECT_THAT(sketch_objection(resolved, tolerances, reports.reference, reports.candidate),
              HasSubstr("missing"));
}

}  // namespace
}  // namespace noctune
