#include <gmock/gmock.h>

#include <cmath>

#include "mep/data/contents.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

using Values = std::vector<double>;

std::string matrix(const std::string& fields) {
  return R"({"A": {"gen": "matrix", )" + fields + "}}";
}
double at(const Values& a, std::size_t cols, std::size_t row, std::size_t col) {
  return a[row * cols + col];
}

// Eigenvalues of A'A for an m by n matrix by rows, by Jacobi rotations: their roots are the singular values.
Values singular_values(const Values& a, std::size_t m, std::size_t n) {
  Values s(n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < m; ++k) s[i * n + j] += at(a, n, k, i) * at(a, n, k, j);
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (std::fabs(s[p * n + q]) < 1e-14) continue;
        const double angle = 0.5 * std::atan2(2 * s[p * n + q], s[q * n + q] - s[p * n + p]);
        const double c = std::cos(angle), d = std::sin(angle);
        for (std::size_t k = 0; k < n; ++k) {
          const double x = s[k * n + p], y = s[k * n + q];
          s[k * n + p] = c * x - d * y;
          s[k * n + q] = d * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = s[p * n + k], y = s[q * n + k];
          s[p * n + k] = c * x - d * y;
          s[q * n + k] = d * x + c * y;
        }
      }
  Values out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(std::sqrt(std::max(0.0, s[i * n + i])));
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Matrix, HasTheConditionNumberThatIsWanted) {
  for (const auto& [rows, cols] : {std::pair(24, 24), std::pair(37, 20), std::pair(61, 61)}) {
    const Contents made(
        matrix("\"cond\": 50, \"rows\": " + std::to_string(rows) + ", \"cols\": " + std::to_string(cols)));
    const Values s = singular_values(made.part("A.values"), static_cast<std::size_t>(rows),
                                     static_cast<std::size_t>(cols));
    EXPECT_NEAR(s.back(), 1, 1e-9);
    EXPECT_NEAR(s.back() / s.front(), 50, 1e-5) << rows << " by " << cols;
  }
}

TEST(Matrix, IsDenseWhereItIsWellConditioned) {
  const Values a = Contents(matrix("\"rows\": 100, \"cond\": 10")).part("A.values");
  double most = 0, sum = 0;
  for (const double x : a) most = std::max(most, x * x), sum += x * x;
  EXPECT_LT(most, 0.02 * sum) << "no element may stand for the whole";
}

TEST(Matrix, OfOrthogonalKindHasOrthonormalColumns) {
  const Values s = singular_values(
      Contents(matrix(R"("rows": 50, "cols": 13, "kind": "orthogonal")")).part("A.values"), 50, 13);
  EXPECT_NEAR(s.front(), 1, 1e-9);
  EXPECT_NEAR(s.back(), 1, 1e-9);
}

TEST(Matrix, LayoutsHoldTheSameMatrix) {
  for (const char* kind : {"well_conditioned", "spd", "dominant", "upper", "distances"}) {
    const std::string fields = std::string(R"("rows": 19, "kind": ")") + kind + "\"";
    const Values rows = Contents(matrix(fields)).part("A.values");
    const Values cols = Contents(matrix(fields + R"(, "layout": "col")")).part("A.values");
    for (std::size_t i = 0; i < 19; ++i)
      for (std::size_t j = 0; j < 19; ++j)
        EXPECT_NEAR(at(rows, 19, i, j), at(cols, 19, j, i), 1e-13) << kind << " " << i << " " << j;
  }
}

TEST(Matrix, OfSpdKindIsSymmetricWithPositiveEigenvalues) {
  const Values a = Contents(matrix(R"("rows": 33, "kind": "spd", "cond": 20)")).part("A.values");
  for (std::size_t i = 0; i < 33; ++i)
    for (std::size_t j = 0; j < 33; ++j) EXPECT_NEAR(at(a, 33, i, j), at(a, 33, j, i), 1e-14);
  Values l = a;  // Cholesky: every pivot is positive
  for (std::size_t k = 0; k < 33; ++k) {
    ASSERT_GT(l[k * 33 + k], 0.04) << "the smallest eigenvalue is 1/20";
    for (std::size_t i = k + 1; i < 33; ++i) {
      const double factor = l[i * 33 + k] / l[k * 33 + k];
      for (std::size_t j = k; j < 33; ++j) l[i * 33 + j] -= factor * l[k * 33 + j];
    }
  }
}

TEST(Matrix, OfDominantKindIsDominantByRowsAndColumns) {
  const Values a = Contents(matrix(R"("rows": 40, "kind": "dominant")")).part("A.values");
  for (std::size_t i = 0; i < 40; ++i) {
    double row = 0, col = 0;
    for (std::size_t j = 0; j < 40; ++j) {
      if (j == i) continue;
      row += std::fabs(at(a, 40, i, j));
      col += std::fabs(at(a, 40, j, i));
    }
    EXPECT_GT(at(a, 40, i, i), row);
    EXPECT_GT(at(a, 40, i, i), col);
  }
}

TEST(Matrix, OfTriangularKindsHasZerosOnOneSide) {
  const Values lower = Contents(matrix(R"("rows": 12, "kind": "lower")")).part("A.values");
  const Values upper = Contents(matrix(R"("rows": 12, "kind": "upper")")).part("A.values");
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j) {
      EXPECT_EQ(at(lower, 12, i, j) == 0, j > i);
      EXPECT_EQ(at(upper, 12, i, j) == 0, j < i);
    }
}

TEST(Matrix, OfDistancesHasAZeroDiagonalAndWholeWeights) {
  const Contents made(matrix(R"("rows": 30, "kind": "distances", "low": 3, "high": 9)"));
  const std::vector<long long> a = made.whole("A.values");
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 30; ++j) {
      const long long weight = a[i * 30 + j];
      EXPECT_TRUE(i == j ? weight == 0 : weight >= 3 && weight <= 9);
    }
  EXPECT_EQ(made.shape("A.values").largest, 9);
}

TEST(Matrix, OfSymmetricKindIsSymmetric) {
  const Values a =
      Contents(matrix(R"("rows": 9, "kind": "symmetric", "low": 2, "high": 3)")).part("A.values");
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 9; ++j) {
      EXPECT_EQ(at(a, 9, i, j), at(a, 9, j, i));
      EXPECT_TRUE(at(a, 9, i, j) >= 2 && at(a, 9, i, j) < 3);
    }
}

TEST(Matrix, BatchesAndSeedsDiffer) {
  for (const char* kind : {"well_conditioned", "spd", "dominant", "lower"}) {
    const Contents made(matrix(std::string(R"("rows": 8, "batch": 2, "kind": ")") + kind + "\""));
    const Values one = made.part("A.values", 1), other = made.part("A.values", 2);
    ASSERT_EQ(one.size(), 128u);
    EXPECT_EQ(one, made.part("A.values", 1));
    EXPECT_NE(one, other) << kind;
    EXPECT_NE(Values(one.begin(), one.begin() + 64), Values(one.begin() + 64, one.end())) << kind;
  }
}

TEST(Matrix, SaysWhatCannotBe) {
  EXPECT_THAT(problem_of(matrix(R"("rows": 4, "cols": 5, "kind": "spd")")),
              HasSubstr("is square, not 4 by 5"));
  EXPECT_THAT(problem_of(matrix(R"("rows": 4, "kind": "spd", "low": 1)")), HasSubstr("kind decides"));
  EXPECT_THAT(problem_of(matrix(R"("rows": 4, "cond": 0.5)")), HasSubstr("cond lies outside"));
  EXPECT_THAT(problem_of(matrix(R"("rows": 4, "kind": "spdd")")), HasSubstr("did you mean \"spd\""));
  EXPECT_THAT(problem_of(matrix(R"("rows": 16777216, "cols": 16777216)")), HasSubstr("2^42"));
  EXPECT_THAT(problem_of(matrix(R"("cols": 4)")), HasSubstr("rows: is missing"));
}

}  // namespace
}  // namespace noctune::testing
