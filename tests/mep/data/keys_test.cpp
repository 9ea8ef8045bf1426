#include <gmock/gmock.h>

#include <set>

#include "mep/data/contents.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

std::string keys(const std::string& fields) {
  return R"({"k": {"gen": "keys", )" + fields + "}}";
}
bool ascending(const std::vector<long long>& all) {
  return std::is_sorted(all.begin(), all.end());
}
std::size_t different(const std::vector<long long>& all) {
  return std::set<long long>(all.begin(), all.end()).size();
}

TEST(Keys, AreOfTheirKind) {
  const auto of = [](const std::string& fields) {
    return Contents(keys("\"n\": 1000, " + fields)).whole("k.keys");
  };
  const auto random = of(R"("kind": "random", "low": -50, "high": 49)");
  EXPECT_EQ(different(random), 100u);
  EXPECT_EQ(*std::min_element(random.begin(), random.end()), -50);
  const auto sorted = of(R"("kind": "sorted", "high": 200)");
  EXPECT_TRUE(ascending(sorted));
  EXPECT_LT(different(sorted), 202u);
  const auto unique = of(R"("kind": "unique")");
  EXPECT_FALSE(ascending(unique));
  EXPECT_EQ(different(unique), 1000u);
  EXPECT_EQ(*std::max_element(unique.begin(), unique.end()), 999)
      << "a permutation, unless the range is wider";
  const auto both = of(R"("kind": "sorted_unique")");
  EXPECT_TRUE(ascending(both));
  EXPECT_EQ(different(both), 1000u);
  EXPECT_GT(both.back(), 3900);
  const auto few = of(R"("kind": "few", "distinct": 7)");
  EXPECT_EQ(different(few), 7u);
  EXPECT_FALSE(ascending(few));
}

TEST(Keys, SegmentsCoverAllKeysAndHeadsMarkThem) {
  for (const char* n : {"1", "10", "97", "1000"}) {
    const Contents made(keys("\"segments\": \"min(10, " + std::string(n) + ")\", \"n\": " + n));
    const auto segments = made.whole("k.segments"), heads = made.whole("k.heads");
    EXPECT_EQ(segments.front(), 0);
    EXPECT_EQ(segments.back(), made.count("k.n"));
    std::set<long long> starts(segments.begin(), segments.end() - 1);
    EXPECT_EQ(starts.size(), segments.size() - 1) << "no segment is empty";
    EXPECT_TRUE(ascending(segments));
    for (std::size_t i = 0; i < heads.size(); ++i)
      EXPECT_EQ(heads[i], starts.count(static_cast<long long>(i)) ? 1 : 0) << n << " " << i;
  }
}

TEST(Keys, BinsCoverTheRange) {
  const Contents made(keys(R"("n": 500, "low": 100, "high": 355, "bins": 32)"));
  const auto bins = made.whole("k.bins");
  EXPECT_EQ(bins.front(), 100);
  EXPECT_EQ(bins.back(), 356);
  EXPECT_TRUE(ascending(bins));
  EXPECT_EQ(different(bins), 33u);
}

TEST(Keys, HaveASeed) {
  const Contents made(keys(R"("n": 500)"));
  EXPECT_EQ(made.part("k.keys", 1), made.part("k.keys", 1));
  EXPECT_NE(made.part("k.keys", 1), made.part("k.keys", 2));
}

TEST(Keys, SayWhatCannotBe) {
  EXPECT_THAT(problem_of(keys(R"("n": 500, "kind": "unique", "high": 400)")),
              HasSubstr("500 different keys are wanted, but there are only 401"));
  EXPECT_THAT(problem_of(keys(R"("n": 5, "segments": 6)")), HasSubstr("no more segments than keys"));
  EXPECT_THAT(problem_of(keys(R"("n": 5, "low": 4, "high": 3)")), HasSubstr("high is below low"));
}

TEST(Permutation, HasAnInverse) {
  for (const std::uint64_t n : {1u, 2u, 5u, 16u, 17u, 1000u})
    for (std::uint64_t i = 0; i < n; ++i) EXPECT_EQ(unpermuted(3, n, permuted(3, n, i)), i);
}

}  // namespace
}  // namespace noctune::testing
