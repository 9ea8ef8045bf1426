// PolyBench's products of matrices and vectors against sums of outer products in long double.
#include "hotspots/suites/versions.hpp"

SUITE_ENTRY(gemm, int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B, float* C)
SUITE_ENTRY(mm2, int ni, int nj, int nk, int nl, float alpha, float beta, const float* A, const float* B,
            const float* C, float* D, float* tmp)
SUITE_ENTRY(mm3, int ni, int nj, int nk, int nl, int nm, const float* A, const float* B, const float* C,
            const float* D, float* E, float* F, float* G)
SUITE_ENTRY(atax, int nx, int ny, const float* A, const float* x, float* y, float* tmp)
SUITE_ENTRY(bicg, int nx, int ny, const float* A, const float* p, const float* r, float* q, float* s)
SUITE_ENTRY(mvt, int n, const float* A, const float* y1, const float* y2, float* x1, float* x2)
SUITE_ENTRY(gesummv, int n, float alpha, float beta, const float* A, const float* B, const float* x, float* y,
            float* tmp)
SUITE_ENTRY(gemver, int n, float alpha, float beta, const float* u1, const float* v1, const float* u2,
            const float* v2, const float* y, const float* z, float* A, float* x, float* w)
SUITE_ENTRY(syrk, int ni, int nj, float alpha, float beta, const float* A, float* C)
SUITE_ENTRY(syr2k, int ni, int nj, float alpha, float beta, const float* A, const float* B, float* C)
SUITE_ENTRY(doitgen, int nr, int nq, int np, const float* C4, float* A, float* sum)

extern "C" {
decltype(gemm) gemm_good, gemm_slow, gemm_wrong;
decltype(atax) atax_good, atax_slow, atax_wrong;
decltype(syrk) syrk_good, syrk_slow, syrk_wrong;
}

namespace noctune {
namespace {

// Vectors are matrices of one column.
Matrix column(const std::vector<float>& values) {
  return Matrix(static_cast<int>(values.size()), 1, values);
}

// How far the furthest element is off, in roundings of the largest reference value; infinite for NaN.
double roundings(const std::vector<float>& got, const Matrix& expected) {
  long double largest = 0, furthest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const long double distance = std::fabs(got[i] - expected.values[i]);
    if (std::isnan(distance)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::fabs(expected.values[i]));
    furthest = std::max(furthest, distance);
  }
  return static_cast<double>(furthest / (std::numeric_limits<float>::epsilon() * largest));
}

TEST(SuiteGemm, agrees_with_a_sum_of_outer_products) {
  for (auto [m, n, k] : {std::tuple{3, 1, 5}, {37, 41, 29}, {131, 97, 113}}) {
    SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
    const auto A = uniform<float>(m * k, 1), B = uniform<float>(k * n, 2), before = uniform<float>(m * n, 3);
    const Matrix expected = 1.5L * (Matrix(m, k, A) * Matrix(k, n, B)) + 0.5L * Matrix(m, n, before);
    for_each_version(gemm, gpu_gemm, [&](auto entry) {
      auto C = before;
      entry(m, n, k, 1.5f, 0.5f, A.data(), B.data(), C.data());
      expect_close(C, expected.values, k + 1);
    });
  }
}

TEST(Suite2mm, agrees_with_the_other_association) {
  for (auto [i, j, k, l] : {std::tuple{2, 3, 1, 5}, {37, 29, 31, 41}, {131, 97, 113, 67}}) {
    SCOPED_TRACE(testing::Message() << i << " x " << j << " x " << k << " x " << l);
    const auto A = uniform<float>(i * k, 1), B = uniform<float>(k * j, 2), C = uniform<float>(j * l, 3),
               before = uniform<float>(i * l, 4);
    const Matrix expected =
        1.5L * (Matrix(i, k, A) * (Matrix(k, j, B) * Matrix(j, l, C))) + 0.5L * Matrix(i, l, before);
    for_each_version(mm2, gpu_mm2, [&](auto entry) {
      auto D = before, tmp = unwritten<float>(i * j);
      entry(i, j, k, l, 1.5f, 0.5f, A.data(), B.data(), C.data(), D.data(), tmp.data());
      expect_close(D, expected.values, j + k + 1);
    });
  }
}

TEST(Suite3mm, agrees_with_the_other_association) {
  for (auto [i, j, k, l, m] : {std::tuple{2, 3, 1, 5, 4}, {37, 29, 31, 41, 23}, {131, 97, 113, 67, 59}}) {
    SCOPED_TRACE(testing::Message() << i << " x " << j << " x " << k << " x " << l << " x " << m);
    const auto A = uniform<float>(i * k, 1), B = uniform<float>(k * j, 2), C = uniform<float>(j * m, 3),
               D = uniform<float>(m * l, 4);
    const Matrix expected = Matrix(i, k, A) * ((Matrix(k, j, B) * Matrix(j, m, C)) * Matrix(m, l, D));
    for_each_version(mm3, gpu_mm3, [&](auto entry) {
      auto E = unwritten<float>(i * j), F = unwritten<float>(j * l), G = unwritten<float>(i * l);
      entry(i, j, k, l, m, A.data(), B.data(), C.data(), D.data(), E.data(), F.data(), G.data());
      expect_close(G, expected.values, j + k + m);
    });
  }
}

TEST(SuiteAtax, agrees_with_the_product_of_the_transpose_and_the_matrix) {
  for (auto [nx, ny] : {std::pair{3, 1}, {131, 397}, {523, 301}}) {
    SCOPED_TRACE(testing::Message() << nx << " x " << ny);
    const auto A = uniform<float>(nx * ny, 1), x = uniform<float>(ny, 2);
    const Matrix a(nx, ny, A), expected = a.transposed() * (a * column(x));
    for_each_version(atax, gpu_atax, [&](auto entry) {
      auto y = unwritten<float>(ny), tmp = unwritten<float>(nx);
      entry(nx, ny, A.data(), x.data(), y.data(), tmp.data());
      expect_close(y, expected.values, nx + ny);
    });
  }
}

TEST(SuiteBicg, agrees_with_the_matrix_and_its_transpose) {
  for (auto [nx, ny] : {std::pair{5, 1}, {131, 397}, {523, 301}}) {
    SCOPED_TRACE(testing::Message() << nx << " x " << ny);
    const auto A = uniform<float>(nx * ny, 1), p = uniform<float>(ny, 2), r = uniform<float>(nx, 3);
    const Matrix a(nx, ny, A), expected_q = a * column(p), expected_s = a.transposed() * column(r);
    for_each_version(bicg, gpu_bicg, [&](auto entry) {
      auto q = unwritten<float>(nx), s = unwritten<float>(ny);
      entry(nx, ny, A.data(), p.data(), r.data(), q.data(), s.data());
      expect_close(q, expected_q.values, ny);
      expect_close(s, expected_s.values, nx);
    });
  }
}

TEST(SuiteMvt, agrees_with_the_matrix_and_its_transpose) {
  for (int n : {3, 131, 397}) {
    SCOPED_TRACE(n);
    const auto A = uniform<float>(n * n, 1), y1 = uniform<float>(n, 2), y2 = uniform<float>(n, 3),
               before1 = uniform<float>(n, 4), before2 = uniform<float>(n, 5);
    const Matrix a(n, n, A), expected1 = a * column(y1) + column(before1),
                             expected2 = a.transposed() * column(y2) + column(before2);
    for_each_version(mvt, gpu_mvt, [&](auto entry) {
      auto x1 = before1, x2 = before2;
      entry(n, A.data(), y1.data(), y2.data(), x1.data(), x2.data());
      expect_close(x1, expected1.values, n + 1);
      expect_close(x2, expected2.values, n + 1);
    });
  }
}

TEST(SuiteGesummv, agrees_with_the_product_of_the_summed_matrices) {
  for (int n : {3, 131, 397}) {
    SCOPED_TRACE(n);
    const auto A = uniform<float>(n * n, 1), B = uniform<float>(n * n, 2), x = uniform<float>(n, 3);
    const Matrix expected = (1.5L * Matrix(n, n, A) + 0.5L * Matrix(n, n, B)) * column(x);
    for_each_version(gesummv, gpu_gesummv, [&](auto entry) {
      auto y = unwritten<float>(n), tmp = unwritten<float>(n);
      entry(n, 1.5f, 0.5f, A.data(), B.data(), x.data(), y.data(), tmp.data());
      expect_close(y, expected.values, 2 * n);
    });
  }
}

TEST(SuiteGemver, agrees_with_outer_products_and_the_transpose) {
  for (int n : {3, 131, 397}) {
    SCOPED_TRACE(n);
    const auto u1 = uniform<float>(n, 1), v1 = uniform<float>(n, 2), u2 = uniform<float>(n, 3),
               v2 = uniform<float>(n, 4), y = uniform<float>(n, 5), z = uniform<float>(n, 6),
               A_before = uniform<float>(n * n, 7), x_before = uniform<float>(n, 8),
               w_before = uniform<float>(n, 9);
    const Matrix expected_A =
        Matrix(n, n, A_before) + column(u1) * column(v1).transposed() + column(u2) * column(v2).transposed();
    const Matrix expected_x = column(x_before) + 0.5L * (expected_A.transposed() * column(y)) + column(z);
    const Matrix expected_w = column(w_before) + 1.5L * (expected_A * expected_x);
    for_each_version(gemver, gpu_gemver, [&](auto entry) {
      auto A = A_before, x = x_before, w = w_before;
      entry(n, 1.5f, 0.5f, u1.data(), v1.data(), u2.data(), v2.data(), y.data(), z.data(), A.data(), x.data(),
            w.data());
      expect_close(A, expected_A.values, 4);
      expect_close(x, expected_x.values, n + 3);
      expect_close(w, expected_w.values, 2 * n + 4);
    });
  }
}

TEST(SuiteSyrk, agrees_with_the_product_with_the_transpose) {
  for (auto [n, k] : {std::pair{3, 1}, {41, 29}, {131, 97}}) {
    SCOPED_TRACE(testing::Message() << n << " x " << k);
    const auto A = uniform<float>(n * k, 1), before = uniform<float>(n * n, 2);
    const Matrix a(n, k, A), expected = 1.5L * (a * a.transposed()) + 0.5L * Matrix(n, n, before);
    for_each_version(syrk, gpu_syrk, [&](auto entry) {
      auto C = before;
      entry(n, k, 1.5f, 0.5f, A.data(), C.data());
      expect_close(C, expected.values, k + 1);
    });
  }
}

// A B^T + B A^T = (A + B) (A + B)^T - A A^T - B B^T.
TEST(SuiteSyr2k, agrees_with_the_square_of_the_sum) {
  for (auto [n, k] : {std::pair{3, 1}, {41, 29}, {131, 97}}) {
    SCOPED_TRACE(testing::Message() << n << " x " << k);
    const auto A = uniform<float>(n * k, 1), B = uniform<float>(n * k, 2), before = uniform<float>(n * n, 3);
    const Matrix a(n, k, A), b(n, k, B), both = a + b;
    const Matrix cross =
        both * both.transposed() + -1.0L * (a * a.transposed()) + -1.0L * (b * b.transposed());
    const Matrix expected = 1.5L * cross + 0.5L * Matrix(n, n, before);
    for_each_version(syr2k, gpu_syr2k, [&](auto entry) {
      auto C = before;
      entry(n, k, 1.5f, 0.5f, A.data(), B.data(), C.data());
      expect_close(C, expected.values, 2 * k + 1);
    });
  }
}

TEST(SuiteDoitgen, agrees_with_a_product_of_matrices) {
  for (auto [nr, nq, np] : {std::tuple{1, 2, 3}, {5, 3, 41}, {13, 7, 97}}) {
    SCOPED_TRACE(testing::Message() << nr << " x " << nq << " x " << np);
    const auto before = uniform<float>(nr * nq * np, 1), C4 = uniform<float>(np * np, 2);
    const Matrix expected = Matrix(nr * nq, np, before) * Matrix(np, np, C4);
    for_each_version(doitgen, gpu_doitgen, [&](auto entry) {
      auto A = before, sum = unwritten<float>(nr * nq * np);
      entry(nr, nq, np, C4.data(), A.data(), sum.data());
      expect_close(A, expected.values, np);
    });
  }
}

TEST(SuiteCandidates, of_gemm_agree_but_for_the_wrong_one) {
  const int m = 131, n = 97, k = 113;
  const auto A = uniform<float>(m * k, 1), B = uniform<float>(k * n, 2), before = uniform<float>(m * n, 3);
  const Matrix expected = 1.5L * (Matrix(m, k, A) * Matrix(k, n, B)) + 0.5L * Matrix(m, n, before);
  const auto off = [&](auto* entry) {
    auto C = before;
    entry(m, n, k, 1.5f, 0.5f, A.data(), B.data(), C.data());
    return roundings(C, expected);
  };
  EXPECT_LE(off(gemm_good), k + 1);
  EXPECT_LE(off(gemm_slow), k + 1);
  EXPECT_GE(off(gemm_wrong), 1e5);
}

TEST(SuiteCandidates, of_atax_agree_but_for_the_wrong_one) {
  const int nx = 131, ny = 397;
  const auto A = uniform<float>(nx * ny, 1), x = uniform<float>(ny, 2);
  const Matrix a(nx, ny, A), expected = a.transposed() * (a * column(x));
  const auto off = [&](auto* entry) {
    auto y = unwritten<float>(ny), tmp = unwritten<float>(nx);
    entry(nx, ny, A.data(), x.data(), y.data(), tmp.data());
    return roundings(y, expected);
  };
  EXPECT_LE(off(atax_good), nx + ny);
  EXPECT_LE(off(atax_slow), nx + ny);
  EXPECT_GE(off(atax_wrong), 1e5);
}

TEST(SuiteCandidates, of_syrk_agree_but_for_the_wrong_one) {
  const int n = 131, k = 97;
  const auto A = uniform<float>(n * k, 1), before = uniform<float>(n * n, 2);
  const Matrix a(n, k, A), expected = 1.5L * (a * a.transposed()) + 0.5L * Matrix(n, n, before);
  const auto off = [&](auto* entry) {
    auto C = before;
    entry(n, k, 1.5f, 0.5f, A.data(), C.data());
    return roundings(C, expected);
  };
  EXPECT_LE(off(syrk_good), k + 1);
  EXPECT_LE(off(syrk_slow), k + 1);
  EXPECT_GE(off(syrk_wrong), 1e5);
}

}  // namespace
}  // namespace noctune
