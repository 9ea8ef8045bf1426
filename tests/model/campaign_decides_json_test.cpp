#include "model/campaign_decides_json.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

Campaign campaign(const char* resolved) {
  Campaign out;
  out.resolved_json = resolved;
  return out;
}

TEST(Decisive, HoldsWhatDecidesNumbersAndNothingElse) {
  const Decisive found = decisive_settings(campaign(
      R"({"search": {"rounds": 6, "repeats": 30}, "platform": {"backend": "cuda", "flags": ["-O3"]},
          "mep": {"t_min_ms": 1.0}, "model": {"provider": "openai"}, "hotspots": [{"name": "gemm"}]})"));
  const Decisive wanted = {{"search.repeats", "30"},
                           {"platform.backend", "\"cuda\""},
                           {"platform.flags", "[\"-O3\"]"},
                           {"mep.t_min_ms", "1.0"}};
  EXPECT_EQ(found, wanted);
}

TEST(Decisive, DifferencesNameTheKeyAndBothValues) {
  EXPECT_EQ(differences({{"a", "1"}, {"b", "2"}, {"c", "3"}}, {{"a", "1"}, {"b", "4"}, {"c", "5"}}),
            "b: 2 before, 4 now\nc: 3 before, 5 now");
}

TEST(Decisive, WhatOneSideLacksIsNoDifference) {
  EXPECT_EQ(differences({{"a", "1"}}, {{"b", "1"}}), "");
  EXPECT_EQ(differences({}, {{"b", "1"}}), "");
}

}  // namespace
}  // namespace noctune
