// gemm, 2mm, syrk and doitgen, original and hand-tuned, against sums of outer products in long double.
#include "handtuned/entries.hpp"
#include "hotspots/numbers.hpp"

namespace noctune {
namespace {

void check_gemm(Gemm* entry, int m, int n, int k) {
  const auto A = uniform(m * k, 1), B = uniform(k * n, 2);
  auto C = uniform(m * n, 3);
  const Matrix expected = 1.5L * (Matrix(m, k, A) * Matrix(k, n, B)) + 0.5L * Matrix(m, n, C);
  entry(m, n, k, 1.5, 0.5, A.data(), B.data(), C.data());
  expect_close(C, expected.values, k + 4);
}

void check_two_mm(TwoMm* entry, int m, int n, int k, int l) {
  const auto A = uniform(m * k, 1), B = uniform(k * n, 2), C = uniform(n * l, 3);
  auto D = uniform(m * l, 4), T = unwritten(m * n);
  const Matrix expected =
      1.5L * (Matrix(m, k, A) * (Matrix(k, n, B) * Matrix(n, l, C))) + 0.5L * Matrix(m, l, D);
  entry(m, n, k, l, 1.5, 0.5, A.data(), B.data(), C.data(), D.data(), T.data());
  expect_close(D, expected.values, n + k + 4);
}

void check_syrk(Syrk* entry, int n, int k) {
  const auto A = uniform(n * k, 1), before = uniform(n * n, 2);
  auto C = before;
  const Matrix a(n, k, A);
  Matrix expected = 1.5L * (a * a.transposed()) + 0.5L * Matrix(n, n, before);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) expected.at(i, j) = before[i * n + j];
  }
  entry(n, k, 1.5, 0.5, A.data(), C.data());
  expect_close(C, expected.values, k + 4);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) ASSERT_EQ(C[i * n + j], before[i * n + j]) << "above the diagonal";
  }
}

void check_doitgen(Doitgen* entry, int nr, int nq, int np) {
  auto A = uniform(nr * nq * np, 1), sum = unwritten(np);
  const auto C = uniform(np * np, 2);
  const Matrix expected = Matrix(nr * nq, np, A) * Matrix(np, np, C);
  entry(nr, nq, np, A.data(), C.data(), sum.data());
  expect_close(A, expected.values, np + 4);
}

// Sizes below one tile, off every multiple, across several cache blocks, and slim in each direction.
TEST(Gemm, original_agrees_with_outer_products) {
  check_gemm(original_gemm, 1, 1, 1);
  check_gemm(original_gemm, 3, 1, 5);
  check_gemm(original_gemm, 37, 41, 29);
  check_gemm(original_gemm, 131, 97, 113);
}

TEST(Gemm, hand_tuned_agrees_with_outer_products) {
  check_gemm(tuned_gemm, 1, 1, 1);
  check_gemm(tuned_gemm, 3, 1, 5);
  check_gemm(tuned_gemm, 12, 16, 256);
  check_gemm(tuned_gemm, 13, 17, 257);
  check_gemm(tuned_gemm, 131, 97, 113);
  check_gemm(tuned_gemm, 1, 301, 67);
  check_gemm(tuned_gemm, 307, 1, 67);
  check_gemm(tuned_gemm, 229, 283, 523);
}

TEST(TwoMm, original_agrees_with_the_other_association) {
  check_two_mm(original_two_mm, 1, 1, 1, 1);
  check_two_mm(original_two_mm, 2, 3, 1, 5);
  check_two_mm(original_two_mm, 37, 29, 31, 41);
  check_two_mm(original_two_mm, 131, 97, 113, 67);
}

TEST(TwoMm, hand_tuned_agrees_with_the_other_association) {
  check_two_mm(tuned_two_mm, 1, 1, 1, 1);
  check_two_mm(tuned_two_mm, 2, 3, 1, 5);
  check_two_mm(tuned_two_mm, 131, 97, 113, 67);
  check_two_mm(tuned_two_mm, 61, 271, 263, 149);
}

TEST(Syrk, original_agrees_with_outer_products) {
  check_syrk(original_syrk, 1, 1);
  check_syrk(original_syrk, 3, 1);
  check_syrk(original_syrk, 41, 29);
  check_syrk(original_syrk, 131, 97);
}

TEST(Syrk, hand_tuned_agrees_with_outer_products) {
  check_syrk(tuned_syrk, 1, 1);
  check_syrk(tuned_syrk, 3, 1);
  check_syrk(tuned_syrk, 48, 256);
  check_syrk(tuned_syrk, 131, 97);
  check_syrk(tuned_syrk, 283, 271);
}

TEST(Doitgen, original_agrees_with_one_product_of_all_lines) {
  check_doitgen(original_doitgen, 1, 1, 1);
  check_doitgen(original_doitgen, 1, 2, 3);
  check_doitgen(original_doitgen, 5, 3, 31);
  check_doitgen(original_doitgen, 13, 7, 97);
}

TEST(Doitgen, hand_tuned_agrees_with_one_product_of_all_lines) {
  check_doitgen(tuned_doitgen, 1, 1, 1);
  check_doitgen(tuned_doitgen, 1, 2, 3);
  check_doitgen(tuned_doitgen, 12, 4, 16);
  check_doitgen(tuned_doitgen, 13, 7, 97);
  check_doitgen(tuned_doitgen, 11, 17, 131);
}

}  // namespace
}  // namespace noctune
