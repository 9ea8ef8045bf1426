#include "coordinator/patterns/pattern_status.hpp"

#include <gtest/gtest.h>

#include "coordinator/patterns/known.hpp"

namespace noctune {
namespace {

using namespace patterns_test;

PatternStatus status(const std::string& drafted_on, const std::vector<PatternEvidence>& evidence) {
  return status_from(PatternStatus::draft, drafted_on, evidence);
}

TEST(PatternStatus, AdmittedByAGainOnAnotherHotspot) {
  EXPECT_EQ(status("gemm", {}), PatternStatus::draft);
  EXPECT_EQ(status("gemm", {use("p", "gemm", 0.5, true)}), PatternStatus::draft);
  EXPECT_EQ(status("gemm", {use("p", "atax", 0.001, false)}), PatternStatus::draft);
  EXPECT_EQ(status("gemm", {use("p", "atax", 0.5, true)}), PatternStatus::admitted);
}

TEST(PatternStatus, WithoutAnOriginTwoHotspotsMustGain) {
  EXPECT_EQ(status("", {use("p", "gemm", 0.5, true)}), PatternStatus::draft);
  EXPECT_EQ(status("", {use("p", "gemm", 0.5, true), use("p", "atax", 0.5, true)}), PatternStatus::admitted);
}

TEST(PatternStatus, RetiredAfterFiveFailuresPerGainAndFiveMore) {
  auto evidence = uses("p", "gemm", 4, 0, false);
  evidence.push_back(use("p", "atax", 0, false));
  EXPECT_EQ(status("gemm", evidence), PatternStatus::retired);
  evidence.push_back(use("p", "bicg", 0.5, true));
  EXPECT_EQ(status("gemm", evidence), PatternStatus::admitted);  // 5 failures < 5 * (1 + 1)
  for (const PatternEvidence& one : uses("p", "mvt", 5, -0.1, false)) evidence.push_back(one);
  EXPECT_EQ(status("gemm", evidence), PatternStatus::retired);  // 10 = 5 * (1 + 1)
}

TEST(PatternStatus, OneHotspotAloneRetiresNothing) {
  EXPECT_EQ(status("gemm", uses("p", "gemm", 50, 0, false)), PatternStatus::draft);
}

TEST(PatternStatus, APersonsWordHolds) {
  EXPECT_EQ(status_from(PatternStatus::admitted, "", {}), PatternStatus::admitted);
  EXPECT_EQ(status_from(PatternStatus::retired, "", {use("p", "a", 1, true), use("p", "b", 1, true)}),
            PatternStatus::retired);
}

}  // namespace
}  // namespace noctune
