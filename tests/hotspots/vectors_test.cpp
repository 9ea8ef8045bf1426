// atax, bicg, mvt, gesummv and spmv-csr, original and hand-tuned, against products of long double matrices.
#include "handtuned/entries.hpp"
#include "hotspots/numbers.hpp"

namespace noctune {
namespace {

Matrix column(const std::vector<double>& v) {
  return Matrix(static_cast<int>(v.size()), 1, v);
}

void check_atax(Atax* entry, int m, int n) {
  const auto A = uniform(m * n, 1), x = uniform(n, 2);
  auto y = unwritten(n), t = unwritten(m);
  const Matrix a(m, n, A);
  entry(m, n, A.data(), x.data(), y.data(), t.data());
  expect_close(y, (a.transposed() * a * column(x)).values, m + n);
}

void check_bicg(Bicg* entry, int m, int n) {
  const auto A = uniform(m * n, 1), p = uniform(n, 2), r = uniform(m, 3);
  auto q = unwritten(m), s = unwritten(n);
  const Matrix a(m, n, A);
  entry(m, n, A.data(), p.data(), r.data(), q.data(), s.data());
  expect_close(q, (a * column(p)).values, n + 4);
  expect_close(s, (a.transposed() * column(r)).values, m + 4);
}

void check_mvt(Mvt* entry, int n) {
  const auto A = uniform(n * n, 1), y1 = uniform(n, 2), y2 = uniform(n, 3);
  auto x1 = uniform(n, 4), x2 = uniform(n, 5);
  const Matrix a(n, n, A);
  const Matrix expected1 = column(x1) + a * column(y1);
  const Matrix expected2 = column(x2) + a.transposed() * column(y2);
  entry(n, A.data(), y1.data(), y2.data(), x1.data(), x2.data());
  expect_close(x1, expected1.values, n + 4);
  expect_close(x2, expected2.values, n + 4);
}

void check_gesummv(Gesummv* entry, int n) {
  const auto A = uniform(n * n, 1), B = uniform(n * n, 2), x = uniform(n, 3);
  auto y = unwritten(n);
  const Matrix sum = 1.5L * Matrix(n, n, A) + 0.5L * Matrix(n, n, B);
  entry(n, 1.5, 0.5, A.data(), B.data(), x.data(), y.data());
  expect_close(y, (sum * column(x)).values, n + 4);
}

TEST(Atax, original_agrees_with_the_product_of_matrices) {
  check_atax(original_atax, 1, 1);
  check_atax(original_atax, 1, 5);
  check_atax(original_atax, 131, 97);
}

TEST(Atax, hand_tuned_agrees_with_the_product_of_matrices) {
  for (auto [m, n] : {std::pair{1, 1}, {1, 5}, {3, 7}, {131, 97}, {6, 211}, {255, 129}})
    check_atax(tuned_atax, m, n);
}

TEST(Bicg, original_agrees_with_two_products) {
  check_bicg(original_bicg, 1, 1);
  check_bicg(original_bicg, 5, 1);
  check_bicg(original_bicg, 131, 97);
}

TEST(Bicg, hand_tuned_agrees_with_two_products) {
  for (auto [m, n] : {std::pair{1, 1}, {5, 1}, {3, 7}, {131, 97}, {6, 5001}, {401, 129}})
    check_bicg(tuned_bicg, m, n);
}

TEST(Mvt, original_agrees_with_two_products) {
  for (int n : {1, 3, 131}) check_mvt(original_mvt, n);
}

TEST(Mvt, hand_tuned_agrees_with_two_products) {
  for (int n : {1, 3, 8, 131, 257}) check_mvt(tuned_mvt, n);
}

TEST(Gesummv, original_agrees_with_the_product_of_the_sum) {
  for (int n : {1, 3, 131}) check_gesummv(original_gesummv, n);
}

TEST(Gesummv, hand_tuned_agrees_with_the_product_of_the_sum) {
  for (int n : {1, 2, 3, 131, 257}) check_gesummv(tuned_gesummv, n);
}

// Row i holds i % most + 0..1 entries at scattered columns; the reference fills a dense matrix.
void check_spmv(SpmvCsr* entry, int n, int most) {
  std::vector<int> row_ptr = {0}, col;
  for (int i = 0; i < n; ++i) {
    for (int e = 0; e < i % (most + 1); ++e) col.push_back(static_cast<int>((i * 37LL + e * 101LL) % n));
    row_ptr.push_back(static_cast<int>(col.size()));
  }
  const auto val = uniform(col.size(), 1), x = uniform(n, 2);
  Matrix dense(n, n);
  for (int i = 0; i < n; ++i) {
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) dense.at(i, col[e]) += val[e];
  }
  auto y = unwritten(n);
  entry(n, row_ptr.data(), col.data(), val.data(), x.data(), y.data());
  expect_close(y, (dense * column(x)).values, most + 4);
}

TEST(SpmvCsr, original_agrees_with_the_dense_product) {
  check_spmv(original_spmv_csr, 1, 3);  // one empty row
  check_spmv(original_spmv_csr, 53, 7);
  check_spmv(original_spmv_csr, 311, 48);
}

}  // namespace
}  // namespace noctune
