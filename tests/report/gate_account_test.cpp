#include "report/gate_account.hpp"

#include <gtest/gtest.h>

#include "report/gate_advice.hpp"

namespace noctune {
namespace {

HotspotAccount hotspot() {
  HotspotAccount out;
  out.device = "cpus 0-1 of here (Test CPU), g++ 12.2.0";
  out.setup.mep.hotspot = "scale";
  out.setup.mep.spec.entry = "scale";
  out.setup.mep.flags = {"-O2"};
  MepReport& report = out.baselined.report;
  report.usable = true;
  report.message = "n=1000000: T_ker = 1.02 ms; the declared sizes satisfy the limits";
  report.baseline_seconds = 1.02e-3;
  report.spread = 0.004;
  report.s_data = 16'000'000;
  SizedCase time, odd;
  time.name = "time";
  time.sizes["n"] = 1000000;
  odd.name = "odd";
  odd.use = CaseUse::check;
  odd.sizes["n"] = 131;
  report.cases = {time, odd};
  report.tolerances = {{"time", "y", 8.9e-16, 0, 0, "rounding of single terms"},
                       {"odd", "y", 4e-13, 1e-13, 0, "4 times what the original moves by itself, 1e-13"},
                       {"odd", "count", 0, 0, 0, "exact, since these are integers"}};
  out.baselined.baseline.binary_sha = "original";
  return out;
}

VersionAccount version(Verdict verdict = Verdict::ok) {
  VersionAccount out;
  out.file = "mine.cpp";
  out.extent = {5, 2, 2};
  out.screening.verdict = verdict;
  out.screening.binary_sha = "mine";
  out.screening.seconds.build = 0.31;
  out.screening.check.passed = true;
  out.screening.check.worst_output = "y";
  out.screening.check.max_error = 2e-16;
  out.screening.check.tolerance = 8.9e-16;
  TimingSummary timing;
  timing.case_name = "time";
  timing.reference_trimmed_mean = 1e-3;
  timing.trimmed_mean = 0.5e-3;
  timing.speedup = 2;
  timing.interval_low = 1.9;
  timing.interval_high = 2.1;
  timing.samples.assign(30, 0.5e-3);
  out.screening.timings = {timing};
  out.screening.speedup = 2;
  return out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Wide, so that no line is broken.
ReportOptions wide() {
  ReportOptions out;
  out.width = 300;
  return out;
}

std::string told(const VersionAccount& account) {
  return gate_account(account, hotspot(), wide());
}

TEST(HotspotAccount, SaysSizesNoiseTolerancesAndTheSmallestGain) {
  const std::string text = hotspot_account(hotspot(), wide());
  EXPECT_TRUE(has(text, "  original   1.02 ms a call, noise 0.4 % between processes, data 16.0 MB\n"))
      << text;
  EXPECT_TRUE(has(text, "  cases      time (n=1000000) timed and checked; odd (n=131) checked\n"));
  EXPECT_TRUE(has(text, "  tolerance  y in time: 8.9e-16, rounding of single terms\n"));
  EXPECT_TRUE(has(text, "y in odd: 4e-13, 4 times what the original moves by itself, 1e-13\n"));
  EXPECT_TRUE(has(text, "count in odd: 0, exact, since these are integers\n"));
  EXPECT_TRUE(has(text, "  real gain  more than 1.2 % of the time, 3 times the noise between processes\n"));
}

TEST(HotspotAccount, ShowsNotesAndTheDoublePrecisionReference) {
  HotspotAccount account = hotspot();
  EXPECT_FALSE(has(hotspot_account(account, wide()), "double-precision build"));
  account.baselined.report.double_reference = true;
  account.baselined.report.notes = {"a tolerance allows lower precision"};
  const std::string text = hotspot_account(account, wide());
  EXPECT_TRUE(has(text, "double-precision build"));
  EXPECT_TRUE(has(text, "  note       a tolerance allows lower precision\n"));
}

TEST(HotspotAccount, SaysWhyTheOriginalCannotBeUsed) {
  HotspotAccount account = hotspot();
  account.baselined.report.usable = false;
  account.baselined.report.message = "the original does not compile";
  account.baselined.report.diagnostics = "error: one\nerror: two\n";
  const std::string text = hotspot_account(account, wide());
  EXPECT_TRUE(has(text, "  REFUSED    the original does not compile\n    | error: one\n    | error: two\n"));
  EXPECT_FALSE(has(text, "real gain"));
}

TEST(HotspotAccount, SaysWhenTheMachineIsTooBusy) {
  HotspotAccount account = hotspot();
  account.baselined.report.spread = 0.35;
  EXPECT_TRUE(has(hotspot_account(account, wide()), "too busy"));
}

TEST(GateAccount, GivesTheFiguresOfEveryGate) {
  const std::string text = told(version());
  EXPECT_TRUE(has(text, "  policy     passed\n  build      passed    in 310.0 ms\n")) << text;
  EXPECT_TRUE(has(text,
                  "  check      passed    5 calls on 2 cases with 2 input seeds; worst output y: error "
                  "2e-16, tolerance 8.9e-16\n"));
  EXPECT_TRUE(has(text, "time: 1.00 ms -> 500.0 us a call, 2.00x, 95 % interval 1.90 to 2.10, 30 rounds"));
  EXPECT_FALSE(has(text, "Verdict"));
}

TEST(GateAccount, SaysWhyASlowVersionWasTimedWithFewRounds) {
  VersionAccount account = version();
  account.screening.timings[0].samples.resize(7);
  EXPECT_TRUE(has(told(account), "7 rounds instead of 30, since its first call")) << told(account);
}

TEST(GateAccount, LinesKeepToTheWidth) {
  ReportOptions narrow;
  narrow.width = 80;
  const std::string text = gate_account(version(), hotspot(), narrow);
  std::size_t start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
    EXPECT_LE(end - start, 80U) << text.substr(start, end - start);
}

TEST(GateAccount, ABuildFailureNamesTheAuthorsFile) {
  VersionAccount account = version(Verdict::build_failed);
  account.screening.binary_sha.clear();
  account.screening.check = {};
  account.screening.message = "does not compile: /tmp/x/candidate.cpp:3:5: error: what";
  account.screening.diagnostics = "/tmp/x/candidate.cpp:3:5: error: what\n  3 | code\n";
  const std::string text = told(account);
  EXPECT_TRUE(has(text, "  build      REFUSED   does not compile: mine.cpp:3:5: error: what\n")) << text;
  EXPECT_TRUE(has(text, "    | mine.cpp:3:5: error: what\n    |   3 | code\n"));
  EXPECT_TRUE(has(text, "`g++ -O2`"));
  EXPECT_TRUE(has(text, "  check      not reached\n  time       not reached\n  confirm    not reached\n"));
  EXPECT_TRUE(has(text, "Verdict: build_failed, refused at the gate build\n"));
}

TEST(GateAccount, AWrongResultSaysWhereAndWhatWasLookedAt) {
  VersionAccount account = version(Verdict::wrong_result);
  account.screening.check.passed = false;
  account.screening.message = "case odd (n=131): y[3] (of 131): expected 1, got 2";
  const std::string text = told(account);
  EXPECT_TRUE(has(text, "  build      passed")) << text;
  EXPECT_TRUE(has(text, "  check      REFUSED   case odd (n=131): y[3] (of 131): expected 1, got 2\n"));
  EXPECT_TRUE(has(text, "looked at: 5 calls on 2 cases"));
  EXPECT_TRUE(has(text, "what to do: compare with the original"));
  EXPECT_TRUE(has(text, "  time       not reached\n"));
}

TEST(GateAccount, ABrokenInvariantIsNoMatterOfTolerance) {
  VersionAccount account = version(Verdict::wrong_result);
  account.screening.check = {};
  account.screening.message = "case odd (n=131): invariant: order[2] is out of order";
  const std::string text = told(account);
  EXPECT_TRUE(has(text, "invariant: order[2] is out of order\n")) << text;
  EXPECT_TRUE(has(text, "what to do: these are the words of the spec's own check.invariants"));
  EXPECT_FALSE(has(text, "equal"));
}

TEST(GateAccount, PolicyMayRefuseBeforeAndAfterTheBuild) {
  VersionAccount before = version(Verdict::rejected);
  before.screening.binary_sha.clear();
  before.screening.message = "includes a file of its own";
  EXPECT_TRUE(has(told(before), "  build      not reached\n"));
  EXPECT_TRUE(has(told(before), "put everything"));
  VersionAccount after = version(Verdict::rejected);
  after.screening.message = "calls fopen";
  EXPECT_TRUE(has(told(after), "  policy     REFUSED   calls fopen\n"));
  EXPECT_TRUE(has(told(after), "  build      passed"));
  EXPECT_TRUE(has(told(after), "take these calls out"));
}

TEST(RefusingGate, FollowsTheVerdictAndHowFarItCame) {
  EXPECT_FALSE(refusing_gate(version().screening));
  EXPECT_EQ(refusing_gate(version(Verdict::run_failed).screening), Gate::time);
  EXPECT_EQ(refusing_gate(version(Verdict::unstable).screening), Gate::time);
  VersionAccount account = version(Verdict::run_timeout);
  account.screening.check.passed = false;
  EXPECT_EQ(refusing_gate(account.screening), Gate::check);
  account.screening.verdict = Verdict::lost;
  EXPECT_EQ(refusing_gate(account.screening), Gate::check);
  account.screening.binary_sha.clear();
  EXPECT_EQ(refusing_gate(account.screening), Gate::build);
}

Evaluation pair_of(double speedup) {
  Evaluation out = version().screening;
  out.speedup = speedup;
  return out;
}

std::string confirmed(const std::vector<Evaluation>& pairs) {
  return confirmation_account(confirmation_of(pairs), pairs, hotspot(), wide());
}

TEST(ConfirmationAccount, SaysTheVerdictWithItsInterval) {
  const std::string faster = confirmed({pair_of(2.2), pair_of(2.21), pair_of(2.19)});
  EXPECT_TRUE(has(faster, "  confirm    passed    3 fresh process pairs: ")) << faster;
  EXPECT_TRUE(has(faster, "Verdict: faster: 2.20x the speed of the original, 95 % interval 2.1"));
  EXPECT_TRUE(has(confirmed({pair_of(0.5), pair_of(0.501), pair_of(0.499)}), "Verdict: slower: 0.500x"));
  EXPECT_TRUE(has(confirmed({pair_of(1.1), pair_of(0.9), pair_of(1)}), "Verdict: indistinguishable: "));
}

TEST(ConfirmationAccount, AGainBelowTheThresholdIsToldAsSmall) {
  const std::string text = confirmed({pair_of(1.011), pair_of(1.0111), pair_of(1.0109)});
  EXPECT_TRUE(has(text, "Verdict: faster")) << text;
  EXPECT_TRUE(has(text, "so small a gain"));
}

TEST(ConfirmationAccount, ARefusalInAFreshProcessEndsIt) {
  Evaluation wrong = pair_of(2);
  wrong.verdict = Verdict::wrong_result;
  wrong.message = "right when checked, wrong in timed call 28: y[0]";
  const std::string text = confirmed({pair_of(2), wrong});
  EXPECT_TRUE(has(text, "  confirm    REFUSED   right when checked")) << text;
  EXPECT_TRUE(has(text, "Verdict: wrong_result, refused in a fresh process\n"));
}

TEST(ShortenedDiagnostics, CountsWhatItLeavesOut) {
  EXPECT_EQ(shortened_diagnostics("a\nb\nc\nd\n", "f", 2), "a\nb\n... and 2 more lines\n");
  EXPECT_EQ(shortened_diagnostics("see '/tmp/a/candidate.cpp' and candidate.cpp:1\n", "f.cpp", 5),
            "see 'f.cpp' and f.cpp:1\n");
}

}  // namespace
}  // namespace noctune
