// PolyBench's grids and factorisations against other algorithms in long double.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "hotspots/suites/solvers_reference.hpp"
#include "hotspots/suites/versions.hpp"

SUITE_ENTRY(adi, int steps, int n, float r, float* u, float* v, float* p, float* q)
SUITE_ENTRY(correlation, int m, int n, float* data, float* mean, float* stddev, float* corr)
SUITE_ENTRY(covariance, int m, int n, float* data, float* mean, float* cov)
SUITE_ENTRY(gramschmidt, int ni, int nj, float* A, float* R, float* Q)
SUITE_ENTRY(conv2d, int ni, int nj, const float* A, float* B)
SUITE_ENTRY(conv3d, int ni, int nj, int nk, const float* A, float* B)
SUITE_ENTRY(fdtd_2d, int steps, int nx, int ny, float* ex, float* ey, float* hz, const float* source)
SUITE_ENTRY(jacobi_2d, int steps, int n, float* A, float* B)
SUITE_ENTRY(lu, int n, float* A)

extern "C" {
using Conv2d = void(int ni, int nj, const float* A, float* B);
using Jacobi2d = void(int steps, int n, float* A, float* B);
using Lu = void(int n, float* A);
Conv2d conv2d_good, conv2d_slow, conv2d_wrong;
Jacobi2d jacobi_2d_good, jacobi_2d_slow, jacobi_2d_wrong;
Lu lu_good, lu_slow, lu_wrong;
}

namespace noctune {
namespace {

using reference::Tap;

std::vector<long double> wide(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

double largest_difference(const std::vector<float>& got, const std::vector<long double>& reference) {
  long double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) largest = std::max(largest, std::fabs(got[i] - reference[i]));
  return static_cast<double>(largest);
}

TEST(SuiteAdi, agrees_with_the_factors_of_sines) {
  for (auto [steps, n] : {std::pair{1, 1}, {3, 37}, {2, 131}}) {
    SCOPED_TRACE(testing::Message() << steps << " steps, n " << n);
    const auto before = uniform<float>(n * n, 1);
    const Matrix expected = reference::heat(steps, 0.75L, Matrix(n, n, before));
    for_each_version(adi, gpu_adi, [&, steps = steps, n = n](auto entry) {
      auto u = before, v = unwritten<float>(n * n), p = v, q = v;
      entry(steps, n, 0.75f, u.data(), v.data(), p.data(), q.data());
      expect_close(u, expected.values, 20 * steps);
    });
  }
}

TEST(SuiteCorrelation, agrees_with_a_product_of_standardised_columns) {
  for (auto [m, n] : {std::pair{1, 5}, {41, 37}, {131, 97}}) {
    SCOPED_TRACE(testing::Message() << m << " variables, " << n << " observations");
    const auto before = uniform<float>(n * m, 1, -1, 2);
    std::vector<long double> mean, stddev(m, 0);
    Matrix z = reference::centred(Matrix(n, m, before), mean);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) stddev[j] += z.at(i, j) * z.at(i, j) / n;
    }
    for (int j = 0; j < m; ++j) stddev[j] = std::sqrt(stddev[j]);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) z.at(i, j) /= std::sqrt(static_cast<long double>(n)) * stddev[j];
    }
    const Matrix expected = z.transposed() * z;
    for_each_version(correlation, gpu_correlation, [&, m = m, n = n](auto entry) {
      auto data = before, got_mean = unwritten<float>(m), got_stddev = got_mean,
           corr = unwritten<float>(m * m);
      entry(m, n, data.data(), got_mean.data(), got_stddev.data(), corr.data());
      expect_close(got_mean, mean, n);
      expect_close(got_stddev, stddev, n);
      expect_close(data, z.values, n);
      expect_close(corr, expected.values, n);
    });
  }
}

TEST(SuiteCorrelation, takes_a_variable_without_spread) {
  const int n = 6;
  for_each_version(correlation, gpu_correlation, [&](auto entry) {
    std::vector<float> data{1, 2, 1, 5, 1, -4, 1, 0, 1, 3, 1, 9}, mean(2), stddev(2), corr(4);
    entry(2, n, data.data(), mean.data(), stddev.data(), corr.data());
    EXPECT_EQ(stddev[0], 1);
    EXPECT_EQ(corr, (std::vector<float>{1, 0, 0, 1}));
  });
}

TEST(SuiteCovariance, agrees_with_a_product_of_centred_columns) {
  for (auto [m, n] : {std::pair{1, 5}, {41, 37}, {131, 97}}) {
    SCOPED_TRACE(testing::Message() << m << " variables, " << n << " observations");
    const auto before = uniform<float>(n * m, 1, -1, 2);
    std::vector<long double> mean;
    const Matrix rest = reference::centred(Matrix(n, m, before), mean);
    const Matrix expected = (1.0L / (n - 1)) * (rest.transposed() * rest);
    for_each_version(covariance, gpu_covariance, [&, m = m, n = n](auto entry) {
      auto data = before, got_mean = unwritten<float>(m), cov = unwritten<float>(m * m);
      entry(m, n, data.data(), got_mean.data(), cov.data());
      expect_close(got_mean, mean, n);
      expect_close(data, rest.values, n);
      expect_close(cov, expected.values, n);
    });
  }
}

TEST(SuiteGramschmidt, agrees_with_a_factor_of_cholesky) {
  for (auto [ni, nj] : {std::pair{5, 3}, {41, 37}, {131, 97}}) {
    SCOPED_TRACE(testing::Message() << ni << " x " << nj);
    auto before = uniform<float>(ni * nj, 1, -1 / std::sqrt(ni), 1 / std::sqrt(ni));
    for (int j = 0; j < nj; ++j) before[j * nj + j] += 2;
    Matrix Q(ni, nj), R(nj, nj);
    reference::qr(Matrix(ni, nj, before), Q, R);
    for (int i = 0; i < nj; ++i) {
      for (int j = 0; j < i; ++j) R.at(i, j) = 7;
    }
    for_each_version(gramschmidt, gpu_gramschmidt, [&, ni = ni, nj = nj](auto entry) {
      auto A = before, got_Q = unwritten<float>(ni * nj), got_R = std::vector<float>(nj * nj, 7);
      entry(ni, nj, A.data(), got_R.data(), got_Q.data());
      expect_close(got_Q, Q.values, ni + nj);
      expect_close(got_R, R.values, ni + nj);
    });
  }
}

// The weights, row by row.
std::vector<Tap> weights_of_conv2d() {
  const long double weights[9] = {0.12L, 0.17L, -0.06L, 0.21L, 0.33L, 0.09L, -0.04L, 0.11L, 0.07L};
  std::vector<Tap> taps;
  for (int tap = 0; tap < 9; ++tap) taps.push_back({0, tap / 3 - 1, tap % 3 - 1, weights[tap]});
  return taps;
}

std::vector<long double> expected_conv2d(int ni, int nj, const std::vector<float>& A,
                                         const std::vector<float>& B) {
  return reference::stencil(1, ni, nj, weights_of_conv2d(), wide(A), wide(B), true);
}

TEST(SuiteConv2d, agrees_with_shifted_copies) {
  for (auto [ni, nj] : {std::pair{3, 5}, {37, 41}, {131, 97}}) {
    SCOPED_TRACE(testing::Message() << ni << " x " << nj);
    const auto A = uniform<float>(ni * nj, 1), before = uniform<float>(ni * nj, 2);
    const auto expected = expected_conv2d(ni, nj, A, before);
    const auto check = [&, ni = ni, nj = nj](auto entry) {
      auto B = before;
      entry(ni, nj, A.data(), B.data());
      expect_close(B, expected, 9);
    };
    for_each_version(conv2d, gpu_conv2d, check);
    for (Conv2d* candidate : {conv2d_good, conv2d_slow}) check(candidate);
  }
}

TEST(SuiteConv2d, the_wrong_candidate_differs) {
  const int ni = 131, nj = 97;
  const auto A = uniform<float>(ni * nj, 1), before = uniform<float>(ni * nj, 2);
  auto B = before;
  conv2d_wrong(ni, nj, A.data(), B.data());
  EXPECT_GT(largest_difference(B, expected_conv2d(ni, nj, A, before)), 0.01);
}

TEST(SuiteConv3d, agrees_with_shifted_copies) {
  std::vector<Tap> taps{{0, 0, 0, 0.30L},   {-1, 0, 0, 0.07L},  {1, 0, 0, 0.09L},  {0, -1, 0, 0.05L},
                        {0, 1, 0, 0.11L},   {0, 0, -1, 0.06L},  {0, 0, 1, 0.08L},  {-1, -1, -1, 0.02L},
                        {-1, -1, 1, 0.04L}, {-1, 1, -1, 0.01L}, {-1, 1, 1, 0.05L}, {1, -1, -1, 0.03L},
                        {1, -1, 1, -0.02L}, {1, 1, -1, 0.06L},  {1, 1, 1, 0.05L}};
  for (auto [ni, nj, nk] : {std::tuple{3, 5, 4}, {13, 11, 17}, {29, 37, 43}}) {
    SCOPED_TRACE(testing::Message() << ni << " x " << nj << " x " << nk);
    const auto A = uniform<float>(ni * nj * nk, 1), before = uniform<float>(ni * nj * nk, 2);
    const auto expected = reference::stencil(ni, nj, nk, taps, wide(A), wide(before));
    for_each_version(conv3d, gpu_conv3d, [&, ni = ni, nj = nj, nk = nk](auto entry) {
      auto B = before;
      entry(ni, nj, nk, A.data(), B.data());
      expect_close(B, expected, 15);
    });
  }
}

TEST(SuiteFdtd2d, agrees_with_its_potential) {
  for (auto [steps, nx, ny] : {std::tuple{2, 2, 5}, {7, 37, 41}, {20, 131, 97}}) {
    SCOPED_TRACE(testing::Message() << steps << " steps, " << nx << " x " << ny);
    const auto ex = uniform<float>(nx * ny, 1), ey = uniform<float>(nx * ny, 2),
               hz = uniform<float>(nx * ny, 3), source = uniform<float>(steps, 4);
    reference::Wave wave{Matrix(nx, ny, ex), Matrix(nx, ny, ey), Matrix(nx, ny, hz)};
    wave.advance(source);
    for_each_version(fdtd_2d, gpu_fdtd_2d, [&, steps = steps, nx = nx, ny = ny](auto entry) {
      auto got_ex = ex, got_ey = ey, got_hz = hz;
      entry(steps, nx, ny, got_ex.data(), got_ey.data(), got_hz.data(), source.data());
      expect_close(got_ex, wave.ex.values, 8 * steps);
      expect_close(got_ey, wave.ey.values, 8 * steps);
      expect_close(got_hz, wave.hz.values, 8 * steps);
    });
  }
}

std::vector<long double> expected_jacobi_2d(int steps, int n, const std::vector<float>& A) {
  const std::vector<Tap> taps{
      {0, 0, 0, 0.2L}, {0, -1, 0, 0.2L}, {0, 1, 0, 0.2L}, {0, 0, -1, 0.2L}, {0, 0, 1, 0.2L}};
  auto expected = wide(A);
  for (int t = 0; t < steps; ++t) expected = reference::stencil(1, n, n, taps, expected, expected, true);
  return expected;
}

TEST(SuiteJacobi2d, agrees_with_shifted_copies) {
  for (auto [steps, n] : {std::pair{1, 3}, {3, 37}, {8, 131}}) {
    SCOPED_TRACE(testing::Message() << steps << " steps, n " << n);
    const auto before = uniform<float>(n * n, 1);
    const auto expected = expected_jacobi_2d(steps, n, before);
    const auto check = [&, steps = steps, n = n](auto entry) {
      auto A = before, B = unwritten<float>(n * n);
      entry(steps, n, A.data(), B.data());
      expect_close(A, expected, 5 * steps);
    };
    for_each_version(jacobi_2d, gpu_jacobi_2d, check);
    for (Jacobi2d* candidate : {jacobi_2d_good, jacobi_2d_slow}) check(candidate);
  }
}

TEST(SuiteJacobi2d, the_wrong_candidate_differs) {
  const int steps = 3, n = 37;
  const auto before = uniform<float>(n * n, 1);
  auto A = before, B = unwritten<float>(n * n);
  jacobi_2d_wrong(steps, n, A.data(), B.data());
  EXPECT_GT(largest_difference(A, expected_jacobi_2d(steps, n, before)), 0.01);
}

// A factorisation in place as its two factors, which are compared apart: U is smaller by n.
struct Factors {
  std::vector<float> lower, upper;

  explicit Factors(std::vector<float> both) : lower(std::move(both)), upper(lower.size()) {
    const int n = static_cast<int>(std::lround(std::sqrt(lower.size())));
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) std::swap(upper[i * n + j], lower[i * n + j]);
    }
  }
};

std::vector<float> dominant(int n) {
  auto A = uniform<float>(n * n, 1);
  for (int i = 0; i < n; ++i) A[i * n + i] = static_cast<float>(n);
  return A;
}

TEST(SuiteLu, agrees_with_sums_of_products) {
  for (int n : {2, 37, 131}) {
    SCOPED_TRACE(testing::Message() << "n " << n);
    const auto before = dominant(n);
    Matrix L(n, n), U(n, n);
    reference::crout(Matrix(n, n, before), L, U);
    const auto check = [&](auto entry) {
      auto A = before;
      entry(n, A.data());
      const Factors got(A);
      expect_close(got.lower, L.values, n);
      expect_close(got.upper, U.values, n);
    };
    for_each_version(lu, gpu_lu, check);
    for (Lu* candidate : {lu_good, lu_slow}) check(candidate);
  }
}

TEST(SuiteLu, the_wrong_candidate_differs) {
  const int n = 37;
  auto A = dominant(n);
  Matrix L(n, n), U(n, n);
  reference::crout(Matrix(n, n, A), L, U);
  lu_wrong(n, A.data());
  EXPECT_GT(largest_difference(Factors(A).upper, U.values), 1e-4);
}

}  // namespace
}  // namespace noctune
