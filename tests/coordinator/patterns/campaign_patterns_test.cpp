#include "coordinator/patterns/campaign_patterns.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coordinator/patterns/rule_patterns.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

PatternSubject subject(const std::string& hotspot) {
  PatternSubject out;
  out.task.mep.hotspot = hotspot;
  out.task.mep.original = value_or_throw(read_file("hotspots/" + hotspot + ".cpp"));
  out.task.mep.spec = read_mep_spec(value_or_throw(read_json("hotspots/" + hotspot + ".mep.json")));
  out.device.name = "CPU";
  out.device.compiler = "g++ 12";
  return out;
}

Attempt attempt(const PatternSubject& of, long long id, long long base,
                const std::vector<std::string>& strategies, double speedup) {
  Attempt out;
  out.candidate.id = id;
  out.candidate.base = base;
  out.candidate.proposer = base == 0 ? "original" : "rules";
  out.candidate.source = of.task.mep.original;
  out.candidate.strategies = strategies;
  out.candidate.sha = of.task.mep.hotspot + std::to_string(id);
  out.verdict = Verdict::ok;
  out.pending = false;
  out.speedup = speedup;
  out.smallest_gain = 0.01;
  return out;
}

class CampaignPatternsTest : public testing::Test {
 protected:
  CampaignPatterns start(const std::string& run, const std::string& campaign, bool snapshot = false) {
    CampaignPatterns out(value_or_throw(PatternLibrary::open(folder_, run, snapshot ? snapshot_ : "")),
                         campaign);
    value_or_throw(out.add_rule_patterns());
    return out;
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("campaign-patterns-test"));
  std::filesystem::path folder_ = scratch_.path() / "library", snapshot_ = scratch_.path() / "snapshot.jsonl";
  PatternSubject gemm_ = subject("gemm"), two_mm_ = subject("2mm"), atax_ = subject("atax");
};

TEST_F(CampaignPatternsTest, WhatOneHotspotTeachesAnotherIsOffered) {
  CampaignPatterns night = start("run-1", "night");
  const Attempt original = attempt(gemm_, 1, 0, {}, 1), tiled = attempt(gemm_, 2, 1, {"cache tiling"}, 2);
  EXPECT_TRUE(night.priors(gemm_, original.candidate).empty());
  const auto evidence = value_or_throw(night.learn(gemm_, {original, tiled}));
  ASSERT_EQ(evidence.size(), 1U);
  EXPECT_EQ(evidence[0].features.at("loop_depth"), "3");
  EXPECT_EQ(evidence[0].platform, "openmp, CPU, g++ 12");
  EXPECT_TRUE(value_or_throw(night.learn(gemm_, {original, tiled})).empty());  // told already
  const auto priors = night.priors(two_mm_, attempt(two_mm_, 1, 0, {}, 1).candidate);
  EXPECT_DOUBLE_EQ(priors.at("cache tiling"), std::log(2.0) / 5);

  CampaignPatterns next = start("run-2", "another");
  const auto offers = next.offers(two_mm_, attempt(two_mm_, 1, 0, {}, 1).candidate);
  ASSERT_EQ(offers.size(), 5U);
  EXPECT_EQ(offers[0].pattern.name, "cache-tiling");
  EXPECT_EQ(offers[0].pattern.status, PatternStatus::draft);  // one hotspot is not enough
  const auto rest = next.offers(two_mm_, attempt(two_mm_, 2, 1, {"cache tiling"}, 1).candidate);
  EXPECT_NE(rest[0].pattern.name, "cache-tiling");
  EXPECT_EQ(value_or_throw(next.learn(two_mm_, {attempt(two_mm_, 1, 0, {}, 1),
                                                attempt(two_mm_, 2, 1, {"cache tiling"}, 3)}))
                .size(),
            1U);
  EXPECT_EQ(next.offers(atax_, attempt(atax_, 1, 0, {}, 1).candidate)[0].pattern.status,
            PatternStatus::admitted);
}

TEST_F(CampaignPatternsTest, TrialsSayWhatWasOfferedAndUsed) {
  CampaignPatterns night = start("run-1", "night");
  const auto offers = night.offers(gemm_, attempt(gemm_, 1, 0, {}, 1).candidate, 2);
  const std::string first = offers[0].pattern.name;
  const auto trials = value_or_throw(night.note_trials(gemm_, "plan/1", offers, {first, "invented"}, "ok"));
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_TRUE(trials[0].used);
  EXPECT_EQ(trials[0].outcome, "ok");
  EXPECT_FALSE(trials[1].used);
  EXPECT_EQ(trials[1].outcome, "");
}

TEST_F(CampaignPatternsTest, AResumedCampaignStartsFromItsSnapshot) {
  const Candidate original = attempt(two_mm_, 1, 0, {}, 1).candidate;
  {
    CampaignPatterns other = start("other", "earlier");
    value_or_throw(
        other.learn(gemm_, {attempt(gemm_, 1, 0, {}, 1), attempt(gemm_, 2, 1, {"loop fusion"}, 2)}));
  }
  std::map<std::string, double> before;
  {
    CampaignPatterns night = start("run-1", "night", true);
    before = night.priors(two_mm_, original);
    value_or_throw(
        night.learn(gemm_, {attempt(gemm_, 1, 0, {}, 1), attempt(gemm_, 3, 1, {"cache tiling"}, 2)}));
  }
  EXPECT_EQ(before.size(), 1U);
  EXPECT_EQ(start("run-2", "night", true).priors(two_mm_, original), before);
  EXPECT_EQ(start("run-3", "new").priors(two_mm_, original).size(), 2U);
}

TEST_F(CampaignPatternsTest, ASnapshotOfAnEmptyLibraryStillGetsTheRules) {
  std::string before;
  for (const char* run : {"run-1", "run-2"}) {
    CampaignPatterns night = start(run, "night", true);
    std::string names;
    for (const KnownPattern& known : night.library().patterns()) names += known.pattern.name + "\n";
    if (before.empty()) before = names;
    EXPECT_EQ(names, before);
    EXPECT_EQ(night.library().patterns().size(), rule_patterns().size());
    for (int i = 2; i < 4; ++i)  // two gains narrow the text in the folder, but not in the snapshot
      value_or_throw(
          night.learn(gemm_, {attempt(gemm_, 1, 0, {}, 1), attempt(gemm_, i, 1, {"cache tiling"}, 2)}));
  }
  EXPECT_EQ(start("run-3", "other").library().patterns().size(), rule_patterns().size());
}

}  // namespace
}  // namespace noctune
