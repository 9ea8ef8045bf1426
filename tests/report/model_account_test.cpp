#include "report/model_account.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ReportArm arm(long long hotspot, const std::string& name, double speedup, long long replicate = 0) {
  ReportArm out;
  out.hotspot = hotspot;
  out.arm = name;
  out.replicate = replicate;
  out.speedup = speedup;
  out.verdict = speedup > 1 ? "faster" : "indistinguishable";
  out.candidates = 4;
  out.calls = name == "rules" ? 0 : 5;
  return out;
}

TEST(CompareArms, MeansCountAHotspotWithoutAGainAsOne) {
  ReportData data;
  data.arms = {arm(1, "loop", 4), arm(2, "loop", 1), arm(1, "direct", 2), arm(2, "direct", 1)};
  const std::vector<ArmSummary> arms = compare_arms(data);
  ASSERT_EQ(arms.size(), 2U);
  EXPECT_EQ(arms[0].arm, "loop");
  EXPECT_NEAR(arms[0].speedup, 2, 1e-12);
  EXPECT_NEAR(arms[1].speedup, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(arms[1].lead, std::sqrt(2.0), 1e-12);
  EXPECT_EQ(arms[0].gains, 1);
  // Student's t with one degree of freedom: half width 12.706 standard errors.
  const double error = std::log(4.0) / 2;
  EXPECT_NEAR(std::log(arms[0].high), std::log(2.0) + 12.706 * error, 1e-3);
  EXPECT_NEAR(arms[0].lead, 1, 1e-12);
}

TEST(CompareArms, ReplicatesAreAveragedWithinAHotspotFirst) {
  ReportData data;
  data.arms = {arm(1, "loop", 1), arm(1, "loop", 4, 1), arm(2, "loop", 2), arm(2, "loop", 2, 1)};
  const std::vector<ArmSummary> arms = compare_arms(data);
  EXPECT_NEAR(arms[0].speedup, 2, 1e-12);
  EXPECT_EQ(arms[0].hotspots, 2);
  EXPECT_EQ(arms[0].replicates, 2);
  EXPECT_EQ(arms[0].gains, 3);
  EXPECT_NEAR(arms[0].low, 2, 1e-9);  // both hotspots agree
}

TEST(CompareArms, OneHotspotHasNoInterval) {
  ReportData data;
  data.arms = {arm(1, "loop", 3), arm(1, "rules", 2)};
  EXPECT_EQ(compare_arms(data)[0].high, 0);
  ReportOptions options;
  EXPECT_THAT(arms_text(data, options), HasSubstr("1.500x"));
  data.arms.pop_back();
  EXPECT_EQ(arms_text(data, options), "");
}

TEST(FirstTries, CountFirstAnswersAndWhatRepairsMended) {
  ReportData data;
  for (long long id = 1; id <= 4; ++id) {
    ReportCall call;
    call.id = id;
    call.purpose = id == 4 ? "repair" : "write";
    call.outcome = "ok";
    call.reading = id == 3 ? "refused: no code" : "as asked";
    call.tokens_in = 100;
    call.attempts = 1;
    data.calls.push_back(call);
  }
  const auto add = [&](long long id, long long call, const std::string& verdict, double low,
                       long long repair_of) {
    ReportCandidate one;
    one.id = id;
    one.call = call;
    one.proposer = "model";
    one.verdict = verdict;
    one.low = low;
    one.repair_of = repair_of;
    data.candidates[id] = one;
  };
  add(2, 1, "ok", 1.2, -1);
  add(3, 2, "build_failed", 0, -1);
  add(4, 4, "ok", 1.1, 3);
  const FirstTries tries = first_tries(data);
  EXPECT_EQ(tries.asked, 3);
  EXPECT_EQ(tries.well_formed, 2);
  EXPECT_EQ(tries.built, 1);
  EXPECT_EQ(tries.equivalent, 1);
  EXPECT_EQ(tries.faster, 1);
  EXPECT_EQ(tries.repairs, 1);
  EXPECT_EQ(tries.repaired, 1);
  ReportOptions options;
  EXPECT_THAT(model_text(data, options), HasSubstr("2 of 3 well-formed"));
  EXPECT_THAT(model_text(data, options), HasSubstr("1 of 1 passed every gate"));
  EXPECT_THAT(model_text(ReportData(), options), Not(HasSubstr("Model")));
}

}  // namespace
}  // namespace noctune
