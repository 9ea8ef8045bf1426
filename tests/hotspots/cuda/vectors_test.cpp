// copy, reduction, transpose and histogram for CUDA, as found and as tuned by hand, run on the CPU.
#include <map>
#include <numeric>

#include "hotspots/cuda/entries.hpp"
#include "hotspots/cuda/placed.hpp"
#include "hotspots/numbers.hpp"

namespace noctune {
namespace {

constexpr int partial_sums = 16384;

void check_copy(int n) {
  SCOPED_TRACE(n);
  for_both(naive_copy, tuned_copy, [&](Copy* entry, Place place) {
    const auto values = uniform<float>(n, 1);
    Placed<float> in(values, place), out(unwritten<float>(n), place);
    entry(n, in.data(), out.data(), nullptr);
    EXPECT_EQ(out.values(), values);
    EXPECT_TRUE(out.intact());
  });
}

TEST(CudaCopy, gives_back_what_it_got) {
  for (const int n : {1, 3, 1031, 20011, 20012}) check_copy(n);
}

TEST(CudaCopy, hand_tuned_takes_several_vectors_a_thread) {
  check_copy(5 * 4096);
}

TEST(CudaCopy, hand_tuned_comes_round_more_than_once) {
  const int n = 4224 * 4096 + 2 * 4224 * 1024 + 4099;
  const auto values = uniform<float>(n, 1);
  Placed<float> in(values, Place::page_start), out(unwritten<float>(n), Place::page_start);
  tuned_copy(n, in.data(), out.data(), nullptr);
  EXPECT_TRUE(out.values() == values && out.intact());
}

void check_reduction(Reduction* entry, int n, Place place) {
  const auto values = uniform<float>(n, 1, 0.25, 1);
  Placed<float> in(values, place), partial(unwritten<float>(partial_sums), place),
      out(unwritten<float>(1), place);
  entry(n, in.data(), partial.data(), out.data(), nullptr);
  const std::vector<float> first = out.values();
  expect_close(first, {std::accumulate(values.begin(), values.end(), 0.0L)}, 4 * std::sqrt(n));
  entry(n, in.data(), partial.data(), out.data(), nullptr);
  EXPECT_EQ(out.values(), first) << "a second call";
  EXPECT_TRUE(partial.intact() && out.intact());
}

TEST(CudaReduction, agrees_with_a_sum_in_long_double) {
  for (const int n : {1, 3, 1031, 20011}) {
    SCOPED_TRACE(n);
    for_both(naive_reduction, tuned_reduction,
             [&](Reduction* entry, Place place) { check_reduction(entry, n, place); });
  }
}

TEST(CudaReduction, hand_tuned_comes_round_more_than_once) {
  check_reduction(tuned_reduction, 1056 * 1024 + 1031, Place::page_start);
}

void check_transpose(int rows, int cols) {
  SCOPED_TRACE(testing::Message() << rows << " x " << cols);
  for_both(naive_transpose, tuned_transpose, [&](Transpose* entry, Place place) {
    const auto values = uniform<float>(rows * cols, 1);
    Placed<float> in(values, place), out(unwritten<float>(rows * cols), place);
    entry(rows, cols, in.data(), out.data(), nullptr);
    const Matrix turned = Matrix(rows, cols, values).transposed();
    expect_close(out.values(), turned.values, 0);
    EXPECT_TRUE(out.intact());
  });
}

TEST(CudaTranspose, agrees_with_the_matrix_turned_element_by_element) {
  for (auto [rows, cols] : {std::pair{1, 5}, {33, 1}, {64, 32}, {131, 97}}) check_transpose(rows, cols);
}

void check_histogram(Histogram* entry, int n, unsigned int mask, Place place) {
  std::mt19937 generator(1);
  std::vector<unsigned int> values(n);
  for (unsigned int& value : values) value = static_cast<unsigned int>(generator()) & mask;
  std::vector<int> expected(256, 0);
  for (unsigned int value : values) ++expected[value % 256];
  Placed<unsigned int> keys(values, place);
  Placed<int> counts(std::vector<int>(256, -1), place);
  entry(n, keys.data(), counts.data(), nullptr);
  EXPECT_EQ(counts.values(), expected);
  EXPECT_TRUE(counts.intact());
}

TEST(CudaHistogram, agrees_with_counting_one_by_one) {
  for (const unsigned int mask : {~0u, 3u}) {
    for (const int n : {1, 5, 1031, 20011}) {
      SCOPED_TRACE(testing::Message() << "n " << n << ", mask " << mask);
      for_both(naive_histogram, tuned_histogram,
               [&](Histogram* entry, Place place) { check_histogram(entry, n, mask, place); });
    }
  }
}

TEST(CudaHistogram, hand_tuned_comes_round_more_than_once) {
  check_histogram(tuned_histogram, 1056 * 1024 + 1031, ~0u, Place::page_start);
}

}  // namespace
}  // namespace noctune
