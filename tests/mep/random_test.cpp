#include "mep/runtime/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "mep/runtime/siphash.hpp"

namespace noctune {
namespace {

TEST(Random, IsAFixedFunction) {
  // These numbers are part of the format: a stored seed must give the same inputs for ever.
  EXPECT_EQ(draw(stream_key(1, 2), 3), 2284357644586979679ULL);
  EXPECT_EQ(stream_key(0, 0), stream_key(0, 0));
  EXPECT_NE(stream_key(0, 1), stream_key(1, 0));
}

TEST(Random, UniformsFillTheInterval) {
  double sum = 0, least = 1, most = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double u = unit_interval(draw(42, i));
    sum += u;
    least = std::min(least, u);
    most = std::max(most, u);
  }
  EXPECT_GE(least, 0);
  EXPECT_LT(most, 1);
  EXPECT_LT(least, 1e-4);
  EXPECT_GT(most, 1 - 1e-4);
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(Random, NormalsHaveTheirMoments) {
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double z = near_normal(7, i);
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / 100000, 0, 0.02);
  EXPECT_NEAR(squares / 100000, 1, 0.02);
}

TEST(Random, PermutationsHitEachPlaceOnce) {
  for (const std::uint64_t n : {1u, 2u, 3u, 5u, 16u, 17u, 1000u, 4097u}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < n; ++i) seen.insert(permuted(99, n, i));
    EXPECT_EQ(seen.size(), n);
    EXPECT_LT(*seen.rbegin(), n);
  }
  EXPECT_NE(permuted(1, 1000, 0) == permuted(2, 1000, 0), permuted(1, 1000, 1) != permuted(2, 1000, 1));
}

TEST(Random, CsrColumnsAreSortedUniqueAndInRange) {
  for (std::uint64_t row = 0; row < 300; ++row) {
    const std::uint64_t k = csr_row_length(5, row, 0, 13);
    ASSERT_LE(k, 13u);
    std::int64_t last = -1;
    for (std::uint64_t j = 0; j < k; ++j) {
      const auto column = static_cast<std::int64_t>(csr_column(draw(row, j), j, k, 13));
      EXPECT_GT(column, last);
      EXPECT_LT(column, 13);
      last = column;
    }
  }
}

TEST(SipHash, MatchesAnIndependentRun) {
  // Whole and in pieces must agree, and every bit counts.
  const char text[] = "0123456789abcdefghijk";
  const auto whole = [&](std::uint64_t key, std::size_t size) {
    SipHash hash(key);
    hash.add(text, size);
    return hash.finish();
  };
  SipHash pieces(1);
  pieces.add(text, 8);
  pieces.add(text + 8, 8);
  pieces.add(text + 16, 5);
  EXPECT_EQ(pieces.finish(), whole(1, 21));
  EXPECT_NE(whole(1, 21), whole(2, 21));
  EXPECT_NE(whole(1, 21), whole(1, 20));
}

}  // namespace
}  // namespace noctune
