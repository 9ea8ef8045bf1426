// gemm, atax, jacobi-2d and n-body for CUDA, as found and as tuned by hand, run on the CPU.
#include "hotspots/cuda/entries.hpp"
#include "hotspots/cuda/placed.hpp"
#include "hotspots/numbers.hpp"

namespace noctune {
namespace {

void check_gemm(int m, int n, int k) {
  SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
  const auto a = uniform<float>(m * k, 1), b = uniform<float>(k * n, 2), c = uniform<float>(m * n, 3);
  const Matrix expected = 1.5L * (Matrix(m, k, a) * Matrix(k, n, b)) + 0.5L * Matrix(m, n, c);
  for_both(naive_gemm, tuned_gemm, [&](Gemm* entry, Place place) {
    Placed<float> A(a, place), B(b, place), C(c, place);
    entry(m, n, k, 1.5f, 0.5f, A.data(), B.data(), C.data(), nullptr);
    expect_close(C.values(), expected.values, k + 1);
    EXPECT_TRUE(C.intact());
  });
}

TEST(CudaGemm, agrees_with_a_sum_of_outer_products) {
  for (auto [m, n, k] : {std::tuple{3, 1, 5}, {1, 129, 17}, {131, 197, 113}, {5, 131, 19}, {33, 66, 22}})
    check_gemm(m, n, k);
}

TEST(CudaGemm, agrees_where_rows_of_one_matrix_alone_are_whole_vectors) {
  for (auto [m, n, k] : {std::tuple{17, 33, 20}, {17, 36, 21}}) check_gemm(m, n, k);
}

TEST(CudaGemm, agrees_where_rows_are_whole_vectors) {
  for (auto [m, n, k] : {std::tuple{128, 128, 16}, {130, 132, 36}, {7, 4, 4}}) check_gemm(m, n, k);
}

void check_atax(int m, int n) {
  SCOPED_TRACE(testing::Message() << m << " x " << n);
  const auto a = uniform(m * n, 1), v = uniform(n, 2);
  const Matrix matrix(m, n, a);
  const Matrix expected = matrix.transposed() * (matrix * Matrix(n, 1, v));
  for_both(naive_atax, tuned_atax, [&](Atax* entry, Place place) {
    Placed<double> A(a, place), x(v, place), y(unwritten(n), place), t(unwritten(m), place);
    entry(m, n, A.data(), x.data(), y.data(), t.data(), nullptr);
    expect_close(y.values(), expected.values, m + n);
    EXPECT_TRUE(y.intact() && t.intact());
  });
}

TEST(CudaAtax, agrees_with_two_matrix_products) {
  for (auto [m, n] : {std::pair{1, 5}, {5, 1}, {131, 97}, {67, 130}}) check_atax(m, n);
}

// Rows are whole pairs, but none of them lies on 16 bytes.
TEST(CudaAtax, agrees_where_buffers_are_not_aligned_for_pairs) {
  const int m = 7, n = 70;
  const auto a = uniform(m * n + 1, 1), v = uniform(n + 1, 2);
  const Matrix matrix(m, n, std::vector<double>(a.begin() + 1, a.end()));
  const Matrix expected =
      matrix.transposed() * (matrix * Matrix(n, 1, std::vector<double>(v.begin() + 1, v.end())));
  for_both(naive_atax, tuned_atax, [&](Atax* entry, Place) {
    Placed<double> A(a, Place::page_start), x(v, Place::page_start), y(unwritten(n), Place::page_end),
        t(unwritten(m), Place::page_end);
    entry(m, n, A.data() + 1, x.data() + 1, y.data(), t.data(), nullptr);
    expect_close(y.values(), expected.values, m + n);
  });
}

// One sweep as the mean of the grid and four shifted copies of it.
Matrix swept(const Matrix& from) {
  Matrix to = from;
  for (int i = 1; i + 1 < from.rows; ++i) {
    for (int j = 1; j + 1 < from.cols; ++j) to.at(i, j) = 0;
  }
  for (auto [di, dj] : {std::pair{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}}) {
    for (int i = 1; i + 1 < from.rows; ++i) {
      for (int j = 1; j + 1 < from.cols; ++j) to.at(i, j) += from.at(i + di, j + dj) / 5;
    }
  }
  return to;
}

void check_jacobi(int steps, int n) {
  SCOPED_TRACE(testing::Message() << "steps " << steps << ", n " << n);
  const auto a = uniform(n * n, 1);
  Matrix expected(n, n, a);
  for (int t = 0; t < steps; ++t) expected = swept(expected);
  for_both(naive_jacobi_2d, tuned_jacobi_2d, [&](Jacobi2d* entry, Place place) {
    Placed<double> A(a, place), B(unwritten(n * n), place);
    entry(steps, n, A.data(), B.data(), nullptr);
    expect_close(A.values(), expected.values, 5 * steps);
    EXPECT_TRUE(A.intact() && B.intact());
  });
}

TEST(CudaJacobi2d, agrees_with_shifted_copies) {
  for (auto [steps, n] : {std::pair{1, 3}, {2, 5}, {7, 131}, {10, 64}, {11, 55}, {1, 62}, {23, 54}})
    check_jacobi(steps, n);
}

// Forces between pairs, each counted for both of its bodies.
std::vector<long double> attracted(int n, long double softening, const std::vector<float>& r,
                                   const std::vector<float>& mass) {
  std::vector<long double> a(3 * n, 0);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      long double d[3], square = softening * softening;
      for (int x = 0; x < 3; ++x) {
        d[x] = static_cast<long double>(r[3 * j + x]) - r[3 * i + x];
        square += d[x] * d[x];
      }
      const long double pull = std::pow(square, -1.5L);
      for (int x = 0; x < 3; ++x) {
        a[3 * i + x] += mass[j] * pull * d[x];
        a[3 * j + x] -= mass[i] * pull * d[x];
      }
    }
  }
  return a;
}

TEST(CudaNBody, agrees_with_forces_between_pairs) {
  for (const int n : {1, 3, 33, 257, 300}) {
    SCOPED_TRACE(n);
    const auto r = uniform<float>(3 * n, 1), m = uniform<float>(n, 2, 0.25, 1);
    const auto expected = attracted(n, 0.125L, r, m);
    for_both(naive_n_body, tuned_n_body, [&](NBody* entry, Place place) {
      Placed<float> position(r, place), mass(m, place), acceleration(unwritten<float>(3 * n), place);
      entry(n, 0.125f, position.data(), mass.data(), acceleration.data(), nullptr);
      expect_close(acceleration.values(), expected, 4 * std::sqrt(n) + 8);
      EXPECT_TRUE(acceleration.intact());
    });
  }
}

}  // namespace
}  // namespace noctune
