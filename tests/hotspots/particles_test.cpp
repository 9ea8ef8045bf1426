// nbody and histogram, original and hand-tuned, against sums over pairs and counts over sorted readings.
#include <algorithm>

#include "handtuned/entries.hpp"
#include "hotspots/numbers.hpp"

namespace noctune {
namespace {

// Each pair once, with opposite pulls on its two bodies.
void check_nbody(Nbody* entry, int n) {
  const auto position = uniform<float>(3 * n, 1), mass = uniform<float>(n, 2, 0.25, 1);
  auto acceleration = unwritten<float>(3 * n);
  std::vector<long double> expected(3 * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      long double d[3], square = 0.125L * 0.125L;
      for (int c = 0; c < 3; ++c) {
        d[c] = static_cast<long double>(position[3 * j + c]) - position[3 * i + c];
        square += d[c] * d[c];
      }
      const long double scale = 1 / (square * std::sqrt(square));
      for (int c = 0; c < 3; ++c) {
        expected[3 * i + c] += mass[j] * d[c] * scale;
        expected[3 * j + c] -= mass[i] * d[c] * scale;
      }
    }
  }
  entry(n, 0.125f, position.data(), mass.data(), acceleration.data());
  expect_close(acceleration, expected, 40);
}

TEST(Nbody, original_agrees_with_pairs) {
  for (int n : {1, 3, 257}) check_nbody(original_nbody, n);
}

TEST(Nbody, hand_tuned_agrees_with_pairs) {
  for (int n : {1, 3, 16, 63, 64, 65, 257}) check_nbody(tuned_nbody, n);
}

// Counts from the borders of each bin in the sorted readings.
void check_histogram(Histogram* entry, int n, int bins, int range) {
  std::mt19937 generator(5);
  std::uniform_int_distribution<int> any(-3, range + 2);  // a few outside
  std::vector<int> readings(n), counts(bins, -1);
  std::generate(readings.begin(), readings.end(), [&] { return any(generator); });
  entry(n, bins, range, readings.data(), counts.data());

  std::sort(readings.begin(), readings.end());
  for (int b = 0; b < bins; ++b) {
    const auto first_of = [&](int bin) {
      return static_cast<int>((static_cast<long>(bin) * range + bins - 1) / bins);
    };
    const auto first = std::lower_bound(readings.begin(), readings.end(), first_of(b));
    const auto end = std::lower_bound(readings.begin(), readings.end(), first_of(b + 1));
    ASSERT_EQ(counts[b], end - first) << "bin " << b;
  }
}

TEST(Histogram, original_agrees_with_sorted_readings) {
  check_histogram(original_histogram, 5, 1000, 4096);
  check_histogram(original_histogram, 10007, 257, 4096);
  check_histogram(original_histogram, 20000, 512, 4096);
}

TEST(Histogram, nothing_to_count_leaves_zeros) {
  std::vector<int> counts(7, -1);
  original_histogram(0, 7, 4096, nullptr, counts.data());
  EXPECT_EQ(counts, std::vector<int>(7, 0));
}

}  // namespace
}  // namespace noctune
