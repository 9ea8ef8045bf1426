// PolyBench's products of matrices and vectors against sums of outer products in long double.
#include "hotspots/suites/versions.hpp"

SUITE_ENTRY(gemm, int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B, float* C)

namespace noctune {
namespace {

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

}  // namespace
}  // namespace noctune
