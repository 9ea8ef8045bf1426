#include "evaluator/node_token.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "fakes/run_all.hpp"

namespace noctune {
namespace {

TEST(NodeToken, BuildersShareAndAMeasurerIsAlone) {
  asio::io_context io;
  // Two ranks on one node: two tokens of one name.
  const std::string name = "token-test-" + std::to_string(::getpid());
  NodeToken first(name, true), second(name, true);
  int building = 0, measuring = 0, most_building = 0, turns = 0;
  auto build = [&](NodeToken& token) -> Task<void> {
    for (int i = 0; i < 20; ++i) {
      NodeToken::Hold hold = co_await token.to_build();
      EXPECT_EQ(measuring, 0);
      most_building = std::max(most_building, ++building);
      co_await sleep_for(1e-4);
      --building;
      ++turns;
    }
  };
  auto measure = [&](NodeToken& token) -> Task<void> {
    for (int i = 0; i < 20; ++i) {
      NodeToken::Hold hold = co_await token.to_measure();
      EXPECT_EQ(building + measuring, 0);
      ++measuring;
      co_await sleep_for(1e-4);
      --measuring;
      ++turns;
    }
  };
  run_all(io, build(first), build(second), measure(first), measure(second));
  EXPECT_EQ(turns, 80);
  EXPECT_GE(most_building, 1);
}

TEST(NodeToken, WhereNothingIsSharedNobodyWaits) {
  asio::io_context io;
  NodeToken token("unused", false);
  auto both = [&]() -> Task<void> {
    NodeToken::Hold one = co_await token.to_measure();
    NodeToken::Hold two = co_await token.to_measure();
  };
  run_all(io, both());
  SUCCEED();
}

}  // namespace
}  // namespace noctune
