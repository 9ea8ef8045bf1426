#include "coordinator/greedy_strategy.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace noctune {
namespace {

using ::testing::HasSubstr;

Attempt attempt(long long id, double speedup, Verdict verdict = Verdict::ok, double smallest_gain = 0.01) {
  Attempt out;
  out.candidate.id = id;
  out.verdict = verdict;
  out.speedup = speedup;
  out.smallest_gain = smallest_gain;
  return out;
}

class GreedyTest : public ::testing::Test {
 protected:
  GreedyTest() {
    settings_.rounds = 2;
    settings_.candidates = 3;
  }
  SearchSettings settings_;
  std::mt19937_64 rng_{1};
};

TEST_F(GreedyTest, HandsOutARoundAndThenWaits) {
  GreedyStrategy greedy(settings_, 1);
  EXPECT_EQ(greedy.ask({}, 2, rng_).size(), 2U);
  EXPECT_EQ(greedy.ask({}, 5, rng_).size(), 1U);
  EXPECT_TRUE(greedy.ask({}, 5, rng_).empty());
  EXPECT_FALSE(greedy.finished());
}

TEST_F(GreedyTest, PromotesTheSmallestRatio) {
  GreedyStrategy greedy(settings_, 1);
  const std::vector<Move> moves = greedy.ask({}, 3, rng_);
  greedy.tell(moves[0], attempt(5, 1.3));
  greedy.tell(moves[1], attempt(6, 1.5));
  greedy.tell(moves[2], attempt(7, 9.0, Verdict::wrong_result));
  EXPECT_EQ(greedy.baseline(), 6);
  EXPECT_THAT(greedy.take_decision(), HasSubstr("candidate 6 takes over"));
  EXPECT_TRUE(greedy.take_decision().empty());
  EXPECT_EQ(greedy.ask({}, 3, rng_).front().base, 6);
}

TEST_F(GreedyTest, OfEqualsTheOneAskedForFirstWinsWhateverTheOrderOfAnswers) {
  for (const bool reversed : {false, true}) {
    GreedyStrategy greedy(settings_, 1);
    std::vector<Move> moves = greedy.ask({}, 3, rng_);
    if (reversed) std::reverse(moves.begin(), moves.end());
    for (const Move& move : moves) {
      Attempt equal = attempt(5 + move.index, 2);
      equal.index = move.index;
      greedy.tell(move, equal);
    }
    EXPECT_EQ(greedy.baseline(), 5);
  }
}

TEST_F(GreedyTest, TheBaselineStaysBelowTheSmallestGain) {
  GreedyStrategy greedy(settings_, 1);
  for (const Move& move : greedy.ask({}, 3, rng_))
    greedy.tell(move, attempt(5, 1.1, Verdict::ok, 0.1));  // 9.1 % less time
  EXPECT_EQ(greedy.baseline(), 1);
  for (const Move& move : greedy.ask({}, 3, rng_))
    greedy.tell(move, attempt(8, 1.12, Verdict::ok, 0.1));  // 10.7 %
  EXPECT_EQ(greedy.baseline(), 8);
}

TEST_F(GreedyTest, EndsAfterItsRounds) {
  GreedyStrategy greedy(settings_, 1);
  for (int round = 0; round < 2; ++round)
    for (const Move& move : greedy.ask({}, 3, rng_)) greedy.tell(move, attempt(10 + round, 2));
  EXPECT_TRUE(greedy.finished());
  EXPECT_TRUE(greedy.ask({}, 3, rng_).empty());
}

TEST_F(GreedyTest, NoRoundsMeansNothingToDo) {
  settings_.rounds = 0;
  GreedyStrategy greedy(settings_, 1);
  EXPECT_TRUE(greedy.finished());
}

TEST_F(GreedyTest, DroppedMovesStillCloseARound) {
  GreedyStrategy greedy(settings_, 1);
  const std::vector<Move> moves = greedy.ask({}, 3, rng_);
  greedy.drop(moves[1]);
  greedy.drop(moves[2]);
  greedy.tell(moves[0], attempt(4, 2));
  EXPECT_EQ(greedy.baseline(), 4);
  EXPECT_FALSE(greedy.finished());
  for (const Move& move : greedy.ask({}, 3, rng_)) greedy.drop(move);
  EXPECT_TRUE(greedy.finished());
}

}  // namespace
}  // namespace noctune
