#include "coordinator/device_health.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

TEST(DeviceHealth, ThreeFaultsInARowRetire) {
  DeviceHealth health;
  health.fault();
  health.fault();
  EXPECT_FALSE(health.retired());
  health.success();
  health.fault();
  health.fault();
  EXPECT_FALSE(health.retired());
  health.fault();
  EXPECT_TRUE(health.retired());
  health.success();
  EXPECT_TRUE(health.retired());
}

TEST(DeviceHealth, OnlyOurOwnTroubleIsAFault) {
  const auto of = [](const char* text) { return is_infrastructure_fault(Json::parse(text)); };
  EXPECT_TRUE(of(R"({"error": "helper lost"})"));
  EXPECT_TRUE(of(R"({"evaluation": {"verdict": "lost"}})"));
  EXPECT_TRUE(of(R"({"prepared": {"report": {"failure": "lost"}}})"));
  EXPECT_TRUE(of("7"));
  for (const char* verdict : {"ok", "rejected", "build_failed", "run_timeout", "wrong_result", "unstable"}) {
    EXPECT_FALSE(of((R"({"evaluation": {"verdict": ")" + std::string(verdict) + "\"}}").c_str()));
    EXPECT_FALSE(of((R"({"prepared": {"report": {"failure": ")" + std::string(verdict) + "\"}}}").c_str()));
  }
  EXPECT_FALSE(of(R"({"prepared": 3})"));
  EXPECT_FALSE(of(R"({"value": "lost"})"));
}

TEST(DeviceHealth, TheReasonIsKept) {
  EXPECT_EQ(fault_text(Json{{"error", "gone"}}), "gone");
  EXPECT_EQ(fault_text(Json::parse(R"({"evaluation": {"verdict": "lost", "message": "no helper"}})")),
            "no helper");
  EXPECT_EQ(fault_text(Json::parse(R"({"evaluation": {"verdict": "lost", "message": 3}})")),
            "no reason given");
}

}  // namespace
}  // namespace noctune
