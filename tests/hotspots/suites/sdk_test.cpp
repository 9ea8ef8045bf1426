// SDK samples against other algorithms for the same, and candidates for three of them against the same again.
#include "hotspots/suites/sdk_reference.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "hotspots/suites/versions.hpp"

SUITE_ENTRY(vector_add, int n, const float* a, const float* b, float* out)
SUITE_ENTRY(matrix_multiplication, int rows, int cols, int inner, const float* A, const float* B, float* C)
SUITE_ENTRY(matrix_transpose, int rows, int cols, const float* in, float* out)
SUITE_ENTRY(reduction, int n, const unsigned int* in, unsigned int* partial, unsigned int* out)
SUITE_ENTRY(histogram, int n, const unsigned int* values, unsigned int* part, unsigned int* counts)
SUITE_ENTRY(simple_convolution, int width, int height, int pitch, int mask_width, int mask_height,
            const unsigned int* in, const float* mask, int* out)
SUITE_ENTRY(floyd_warshall, int n, unsigned int* distance)
SUITE_ENTRY(bitonic_sort, int n, unsigned int* keys)
SUITE_ENTRY(haar_wavelet, int n, const float* signal, float* approximations, float* coefficients)
SUITE_ENTRY(fast_walsh, int n, float* values)
SUITE_ENTRY(black_scholes, int n, float rate, float volatility, const float* spot, const float* strike,
            const float* years, float* call, float* put)
SUITE_ENTRY(binomial_options, int options, int steps, float rate, float volatility, const float* spot,
            const float* strike, const float* years, float* value)

extern "C" {
decltype(matrix_transpose) matrix_transpose_good, matrix_transpose_slow, matrix_transpose_wrong;
decltype(histogram) histogram_good, histogram_slow, histogram_wrong;
decltype(floyd_warshall) floyd_warshall_good, floyd_warshall_slow, floyd_warshall_wrong;
}

namespace noctune {
namespace {

using sdk::Words;

constexpr unsigned int no_edge = 1u << 30;

// As for_each_version(), with the threads of a block in both orders, so that a missing barrier shows.
template <class Body, class OpenMp, class Gpu>
void for_each_order(OpenMp* openmp, Gpu* gpu, const Body& body) {
#ifdef NOCTUNE_CUDA_ON_CPU
  cuda_on_cpu::set_order(cuda_on_cpu::Order::backward);
  for_each_version(openmp, gpu, body);
  cuda_on_cpu::set_order(cuda_on_cpu::Order::forward);
#endif
  for_each_version(openmp, gpu, body);
}

Words numbers(std::size_t elements, std::uint32_t seed, unsigned int most) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<unsigned int> any(0, most);
  Words values(elements);
  for (unsigned int& value : values) value = any(generator);
  return values;
}

// Lengths of edges from 1 to 2^20; of every four but one there is no edge.
Words graph(std::size_t n) {
  Words length = numbers(n * n, 4, (1u << 20) - 1);
  for (std::size_t at = 0; at < n * n; ++at) length[at] = length[at] % 4 != 0 ? no_edge : length[at] + 1;
  for (std::size_t i = 0; i < n; ++i) length[i * n + i] = 0;
  return length;
}

TEST(SuiteVectorAdd, agrees_with_sums_from_the_back) {
  for (int n : {1, 257, 10007}) {
    const auto a = uniform<float>(n, 1), b = uniform<float>(n, 2);
    sdk::Reals expected(n);
    for (int i = n - 1; i >= 0; --i) expected[i] = static_cast<long double>(a[i]) + b[i];
    for_each_version(vector_add, gpu_vector_add, [&](auto entry) {
      auto out = unwritten<float>(n);
      entry(n, a.data(), b.data(), out.data());
      expect_close(out, expected, 1);
    });
  }
}

TEST(SuiteMatrixMultiplication, agrees_with_a_sum_of_outer_products) {
  for (auto [m, n, k] : {std::tuple{3, 1, 5}, {37, 41, 29}, {131, 97, 113}}) {
    SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
    const auto A = uniform<float>(m * k, 1), B = uniform<float>(k * n, 2);
    const Matrix expected = Matrix(m, k, A) * Matrix(k, n, B);
    for_each_version(matrix_multiplication, gpu_matrix_multiplication, [&](auto entry) {
      auto C = unwritten<float>(m * n);
      entry(m, n, k, A.data(), B.data(), C.data());
      expect_close(C, expected.values, k);
    });
  }
}

std::vector<float> transposed(int rows, int cols, const std::vector<float>& in) {
  const Matrix turned = Matrix(rows, cols, in).transposed();
  return {turned.values.begin(), turned.values.end()};
}

TEST(SuiteMatrixTranspose, swaps_rows_and_columns) {
  for (auto [rows, cols] : {std::pair{1, 5}, {37, 41}, {131, 97}, {256, 320}}) {
    SCOPED_TRACE(testing::Message() << rows << " x " << cols);
    const auto in = uniform<float>(rows * cols, 1);
    for_each_version(matrix_transpose, gpu_matrix_transpose, [&](auto entry) {
      auto out = unwritten<float>(rows * cols);
      entry(rows, cols, in.data(), out.data());
      EXPECT_EQ(out, transposed(rows, cols, in));
    });
  }
}

TEST(SuiteMatrixTranspose, candidates_are_right_but_for_the_wrong_one) {
  for (auto [rows, cols] : {std::pair{3, 5}, {131, 97}}) {
    const auto in = uniform<float>(rows * cols, 1);
    const auto result_of = [&, r = rows, c = cols](auto entry) {
      std::vector<float> out(in.size(), -7);
      entry(r, c, in.data(), out.data());
      return out;
    };
    EXPECT_EQ(result_of(matrix_transpose_good), transposed(rows, cols, in));
    EXPECT_EQ(result_of(matrix_transpose_slow), transposed(rows, cols, in));
    EXPECT_NE(result_of(matrix_transpose_wrong), transposed(rows, cols, in));
  }
}

TEST(SuiteReduction, agrees_with_a_wide_sum) {
  for (int n : {1, 255, 256, 100003}) {
    SCOPED_TRACE(n);
    const Words in = numbers(n, 1, ~0u);
    const auto expected =
        static_cast<unsigned int>(std::accumulate(in.rbegin(), in.rend(), std::uint64_t{0}) % (1ull << 32));
    for_each_order(reduction, gpu_reduction, [&](auto entry) {
      Words partial((n + 255) / 256, 123), out(1, 123);
      entry(n, in.data(), partial.data(), out.data());
      EXPECT_EQ(out[0], expected);
    });
  }
}

// Of `values`, by an entry whose outputs and scratch hold something else before.
template <class Entry>
Words histogram_of(Entry entry, const Words& values) {
  Words part(256 * ((values.size() + 1023) / 1024), 123), counts(256, 123);
  entry(static_cast<int>(values.size()), values.data(), part.data(), counts.data());
  return counts;
}

TEST(SuiteHistogram, agrees_with_sorted_values) {
  for (int n : {1, 1024, 100003}) {
    SCOPED_TRACE(n);
    const Words values = numbers(n, 1, 255);
    for_each_order(histogram, gpu_histogram, [&](auto entry) {
      EXPECT_EQ(histogram_of(entry, values), sdk::counts_when_sorted(values));
    });
  }
}

TEST(SuiteHistogram, counts_beyond_a_byte_when_all_values_are_alike) {
  const Words values(70000, 255);
  for_each_version(histogram, gpu_histogram, [&](auto entry) {
    EXPECT_EQ(histogram_of(entry, values), sdk::counts_when_sorted(values));
  });
}

TEST(SuiteHistogram, candidates_are_right_but_for_the_wrong_one) {
  for (const Words& values : {numbers(100003, 1, 255), Words(70001, 7)}) {
    const Words expected = sdk::counts_when_sorted(values);
    EXPECT_EQ(histogram_of(histogram_good, values), expected);
    EXPECT_EQ(histogram_of(histogram_slow, values), expected);
    EXPECT_NE(histogram_of(histogram_wrong, values), expected);
  }
}

TEST(SuiteSimpleConvolution, agrees_with_pixels_spread_over_the_mask) {
  for (auto [width, height, mask_width, mask_height] :
       {std::tuple{3, 1, 2, 4}, {37, 41, 5, 5}, {131, 97, 7, 3}}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    const int pitch = (width + mask_width - 1 + 31) / 32 * 32, rows = height + mask_height - 1;
    const Words in = numbers(pitch * rows, 1, 255), weights = numbers(mask_width * mask_height, 2, 9);
    const std::vector<float> mask(weights.begin(), weights.end());
    std::vector<int> expected(width * height);
    for (int r = 0; r < mask_height; ++r) {
      for (int c = 0; c < mask_width; ++c) {
        for (int at = 0; at < pitch * rows; ++at) {
          const int y = at / pitch - r, x = at % pitch - c;
          if (y >= 0 && y < height && x >= 0 && x < width)
            expected[y * width + x] += static_cast<int>(weights[r * mask_width + c] * in[at]);
        }
      }
    }
    for_each_version(simple_convolution, gpu_simple_convolution,
                     [&, w = width, h = height, mw = mask_width, mh = mask_height](auto entry) {
                       std::vector<int> out(w * h, -7);
                       entry(w, h, pitch, mw, mh, in.data(), mask.data(), out.data());
                       EXPECT_EQ(out, expected);
                     });
  }
}

TEST(SuiteSimpleConvolution, rounds_to_the_nearest) {
  const Words in = {100, 101, 103, 103};
  const std::vector<float> mask = {0.3f, 0.1f};
  for_each_version(simple_convolution, gpu_simple_convolution, [&](auto entry) {
    std::vector<int> out(3, -7);
    entry(3, 1, 4, 2, 1, in.data(), mask.data(), out.data());
    EXPECT_EQ(out, (std::vector<int>{40, 41, 41}));  // 40.1, 40.6, 41.2
  });
}

TEST(SuiteFloydWarshall, agrees_with_searches_from_each_node) {
  for (int n : {2, 37, 131}) {
    SCOPED_TRACE(n);
    const Words before = graph(n), expected = sdk::paths_from_each(n, before);
    for_each_version(floyd_warshall, gpu_floyd_warshall, [&](auto entry) {
      Words distance = before;
      entry(n, distance.data());
      EXPECT_EQ(distance, expected);
    });
  }
}

TEST(SuiteFloydWarshall, leaves_nodes_apart_that_no_path_joins) {
  for_each_version(floyd_warshall, gpu_floyd_warshall, [&](auto entry) {
    Words distance = {0, 5, no_edge, no_edge, 0, no_edge, 7, no_edge, 0};
    entry(3, distance.data());
    EXPECT_EQ(distance, (Words{0, 5, no_edge, no_edge, 0, no_edge, 7, 12, 0}));
  });
}

TEST(SuiteFloydWarshall, candidates_are_right_but_for_the_wrong_one) {
  for (int n : {37, 131, 192}) {
    const Words before = graph(n), expected = sdk::paths_from_each(n, before);
    const auto result_of = [&](auto entry) {
      Words distance = before;
      entry(n, distance.data());
      return distance;
    };
    EXPECT_EQ(result_of(floyd_warshall_good), expected);
    EXPECT_EQ(result_of(floyd_warshall_slow), expected);
    EXPECT_NE(result_of(floyd_warshall_wrong), expected);
  }
}

TEST(SuiteBitonicSort, agrees_with_the_library) {
  for (int n : {2, 64, 8192}) {
    for (unsigned int most : {~0u, 9u}) {  // with many equal keys, too
      SCOPED_TRACE(testing::Message() << n << " keys up to " << most);
      const Words before = numbers(n, 1, most);
      Words expected = before;
      std::sort(expected.begin(), expected.end());
      for_each_version(bitonic_sort, gpu_bitonic_sort, [&](auto entry) {
        Words keys = before;
        entry(n, keys.data());
        EXPECT_EQ(keys, expected);
      });
    }
  }
}

TEST(SuiteHaarWavelet, agrees_with_differences_of_blocks) {
  for (int n : {2, 64, 4096}) {
    SCOPED_TRACE(n);
    const auto signal = uniform<float>(n, 1);
    const auto expected = sdk::haar_by_blocks(signal);
    for_each_version(haar_wavelet, gpu_haar_wavelet, [&](auto entry) {
      auto approximations = unwritten<float>(n), coefficients = unwritten<float>(n);
      entry(n, signal.data(), approximations.data(), coefficients.data());
      expect_close(coefficients, expected, 2 * std::log2(n));
    });
  }
}

TEST(SuiteFastWalsh, agrees_with_sums_by_signs) {
  for (int n : {2, 64, 4096}) {
    SCOPED_TRACE(n);
    const auto before = uniform<float>(n, 1);
    const auto expected = sdk::walsh_by_signs(before);
    for_each_version(fast_walsh, gpu_fast_walsh, [&](auto entry) {
      auto values = before;
      entry(n, values.data());
      expect_close(values, expected, std::log2(n));
    });
  }
}

struct Options {
  std::vector<float> spot, strike, years;

  explicit Options(int n)
      : spot(uniform<float>(n, 1, 5, 30)),
        strike(uniform<float>(n, 2, 1, 100)),
        years(uniform<float>(n, 3, 0.25, 10)) {}
  sdk::Option at(int i) const { return {spot[i], strike[i], years[i]}; }
};

TEST(SuiteBlackScholes, agrees_with_the_error_function) {
  for (int n : {3, 131, 10007}) {
    SCOPED_TRACE(n);
    const Options options(n);
    const sdk::Market market = {0.02f, 0.3f};
    sdk::Reals calls(n), puts(n);
    for (int i = 0; i < n; ++i) {
      const sdk::Option one = options.at(i);
      calls[i] = sdk::call_value(market, one);
      puts[i] = calls[i] - one.spot + one.strike * std::exp(-market.rate * one.years);
    }
    for_each_version(black_scholes, gpu_black_scholes, [&](auto entry) {
      auto call = unwritten<float>(n), put = unwritten<float>(n);
      entry(n, 0.02f, 0.3f, options.spot.data(), options.strike.data(), options.years.data(), call.data(),
            put.data());
      expect_close(call, calls, 20);
      expect_close(put, puts, 20);
    });
  }
}

TEST(SuiteBinomialOptions, agrees_with_the_mean_payoff) {
  for (auto [n, steps] : {std::pair{3, 1}, {7, 7}, {131, 97}, {33, 254}, {2, 255}}) {
    SCOPED_TRACE(testing::Message() << n << " options, " << steps << " steps");
    const Options options(n);
    sdk::Reals expected(n);
    for (int i = 0; i < n; ++i) expected[i] = sdk::tree_value({0.02f, 0.3f}, options.at(i), steps);
    for_each_order(binomial_options, gpu_binomial_options, [&, n_ = n, s = steps](auto entry) {
      auto value = unwritten<float>(n_);
      entry(n_, s, 0.02f, 0.3f, options.spot.data(), options.strike.data(), options.years.data(),
            value.data());
      expect_close(value, expected, 2 * s + 10);
    });
  }
}

TEST(SuiteBinomialOptions, approach_black_and_scholes) {
  const sdk::Market market = {0.02L, 0.3L};
  const sdk::Option option = {20, 25, 2};
  EXPECT_NEAR(static_cast<double>(sdk::tree_value(market, option, 254)),
              static_cast<double>(sdk::call_value(market, option)), 0.01);
}

}  // namespace
}  // namespace noctune
