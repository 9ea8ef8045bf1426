// Adds up what the corpus' shards kept: which share of the entries rules alone complete.
#include <gtest/gtest.h>

#include <cstdio>

#include "corpus/corpus_outcome.hpp"

namespace noctune {
namespace {

using What = CorpusOutcome::What;

void print(const std::vector<CorpusOutcome>& outcomes) {
  std::printf("%-24s %-9s %-17s %6s  %s\n", "entry", "expected", "outcome", "s", "reason");
  for (const CorpusOutcome& one : outcomes)
    std::printf("%-24s %-9s %-17s %6.1f  %.160s\n", one.entry.c_str(), one.expect.c_str(),
                to_text(one.what).c_str(), one.seconds, one.reason.c_str());
}

TEST(CorpusShare, IsAtLeastSixtyPercentByRulesAlone) {
  const std::vector<CorpusOutcome> outcomes = kept_outcomes();
  print(outcomes);
  ASSERT_EQ(outcomes.size(), corpus_entries().size()) << "run the corpus_by_rules tests first";
  int asked = 0, agreeing = 0;
  for (const CorpusOutcome& one : outcomes) {
    EXPECT_FALSE(one.what == What::disagrees) << one.entry << ": " << one.reason;
    if (one.expect == "refuse") {
      EXPECT_FALSE(one.what == What::agrees) << one.entry << " should have been refused";
      continue;
    }
    ++asked;
    agreeing += one.what == What::agrees;
  }
  std::printf("by rules alone: %d of %d, %.0f %%\n", agreeing, asked, 100.0 * agreeing / asked);
  EXPECT_GE(agreeing, 0.6 * asked);
}

}  // namespace
}  // namespace noctune
