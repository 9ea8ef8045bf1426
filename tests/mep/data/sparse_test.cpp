#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "mep/data/contents.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

std::string csr(const std::string& fields) {
  return R"({"A": {"gen": "csr", )" + fields + "}}";
}
const char* const plain = R"("rows": 300, "cols": 41, "nnz_min": 0, "nnz_max": 13)";
const char* const symmetric =
    R"("rows": 200, "cols": 200, "nnz_min": 3, "nnz_max": 141, "pattern": "symmetric")";

TEST(Sparse, PlainRowsAreWhatTheyAlwaysWere) {
  const Contents made(csr(plain));
  const auto row_ptr = made.whole("A.row_ptr"), col = made.whole("A.col");
  const std::uint64_t key = stream_key(1, csr_structure_stream);
  std::uint64_t next = 0;
  for (std::uint64_t row = 0; row < 300; ++row) {
    ASSERT_EQ(row_ptr[row], static_cast<long long>(next));
    const std::uint64_t k = csr_row_length(key, row, 0, 13);
    for (std::uint64_t j = 0; j < k; ++j, ++next)
      ASSERT_EQ(col[next], static_cast<long long>(csr_column(draw(mix_bits(key), next), j, k, 41)));
  }
  EXPECT_EQ(made.count("A.nnz"), static_cast<long long>(next));
  EXPECT_EQ(row_ptr[300], made.count("A.nnz"));
  EXPECT_TRUE(made.shape("A.val").plain);
}

// In range, ascending and unique in every row; entries as (row, column).
std::set<std::pair<long long, long long>> entries(const Contents& made, long long cols) {
  const auto row_ptr = made.whole("A.row_ptr"), col = made.whole("A.col"), row = made.whole("A.row");
  const auto length = made.whole("A.length");
  std::set<std::pair<long long, long long>> all;
  EXPECT_EQ(row_ptr.back(), made.count("A.nnz"));
  for (std::size_t i = 0; i + 1 < row_ptr.size(); ++i) {
    EXPECT_EQ(length[i], row_ptr[i + 1] - row_ptr[i]);
    EXPECT_LE(length[i], made.count("A.width"));
    for (long long e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      EXPECT_EQ(row[at], static_cast<long long>(i));
      EXPECT_TRUE(col[at] >= 0 && col[at] < cols);
      EXPECT_TRUE(e == row_ptr[i] || col[at] > col[at - 1]);
      all.emplace(row[at], col[at]);
    }
  }
  EXPECT_EQ(static_cast<long long>(all.size()), made.count("A.nnz"));
  return all;
}

TEST(Sparse, SymmetricPatternsMirror) {
  for (const std::uint64_t seed : {1u, 2u}) {
    const Contents made(csr(symmetric), seed);
    const auto all = entries(made, 200);
    std::set<long long> lengths;
    for (const long long one : made.whole("A.length")) lengths.insert(one);
    EXPECT_GT(lengths.size(), 10u) << "rows differ in length";
    EXPECT_GE(*lengths.begin(), 3);
    EXPECT_LE(*lengths.rbegin(), 141);
    for (const auto& [row, col] : all) EXPECT_TRUE(all.count({col, row})) << row << " " << col;
    for (long long i = 0; i < 200; ++i) EXPECT_TRUE(all.count({i, i}));
  }
  EXPECT_NE(Contents(csr(symmetric), 1).whole("A.col"), Contents(csr(symmetric), 2).whole("A.col"));
}

TEST(Sparse, SmallSymmetricPatternsHold) {
  for (int n : {1, 2, 3, 4, 5, 8}) {
    const std::string size = std::to_string(n);
    const Contents made(csr("\"rows\": " + size + ", \"cols\": " + size +
                            R"(, "nnz_min": 1, "nnz_max": 9, "pattern": "symmetric")"));
    entries(made, n);
  }
}

TEST(Sparse, DominantValuesAreLargestOnTheDiagonal) {
  for (const char* pattern : {"random", "symmetric"}) {
    const Contents made(
        csr(std::string(R"("rows": 90, "cols": 90, "nnz_min": 2, "nnz_max": 21, "pattern": ")") + pattern +
            R"(", "values": "dominant")"));
    entries(made, 90);
    const auto row = made.whole("A.row"), col = made.whole("A.col");
    const auto val = made.part("A.val");
    std::vector<double> diagonal(90, 0), rest(90, 0);
    std::map<std::pair<long long, long long>, double> at;
    for (std::size_t e = 0; e < val.size(); ++e) {
      at[{row[e], col[e]}] = val[e];
      (row[e] == col[e] ? diagonal : rest)[static_cast<std::size_t>(row[e])] += std::fabs(val[e]);
    }
    for (std::size_t i = 0; i < 90; ++i) EXPECT_GT(diagonal[i], rest[i]);
    if (std::string(pattern) == "random") continue;
    for (const auto& [place, value] : at) EXPECT_EQ(value, at.at({place.second, place.first}));
  }
}

TEST(Sparse, EllHoldsTheSameMatrixWithPadding) {
  for (const char* layout : {"column", "row"}) {
    const Contents made(csr(std::string(plain) + R"(, "padding": -1, "ell": ")" + layout + "\""));
    const auto row_ptr = made.whole("A.row_ptr"), col = made.whole("A.col"), ell = made.whole("A.ell_col");
    const auto values = made.part("A.ell_val");
    const auto width = static_cast<std::size_t>(made.count("A.width"));
    ASSERT_EQ(ell.size(), 300 * width);
    for (std::size_t row = 0; row < 300; ++row)
      for (std::size_t k = 0; k < width; ++k) {
        const std::size_t at = std::string(layout) == "row" ? row * width + k : k * 300 + row;
        const bool there = static_cast<long long>(k) < row_ptr[row + 1] - row_ptr[row];
        EXPECT_EQ(ell[at], there ? col[static_cast<std::size_t>(row_ptr[row]) + k] : -1);
        EXPECT_EQ(values[at] != 0, there);
      }
    EXPECT_EQ(made.shape("A.ell_col").smallest, -1);
  }
}

TEST(Sparse, SaysWhatCannotBe) {
  EXPECT_THAT(problem_of(csr(R"("rows": 4, "cols": 5, "nnz_min": 1, "nnz_max": 2, "pattern": "symmetric")")),
              HasSubstr("as many rows as columns"));
  EXPECT_THAT(problem_of(csr(R"("rows": 4, "cols": 4, "nnz_min": 0, "nnz_max": 2, "values": "dominant")")),
              HasSubstr("nnz_min of at least 1"));
  EXPECT_THAT(problem_of(csr(R"("rows": -4, "cols": 4, "nnz_min": 0, "nnz_max": 2)")),
              HasSubstr("rows = -4 lies outside 0"));
  EXPECT_THAT(problem_of(csr(R"("rows": 4, "cols": 4, "nnz_min": 0)")), HasSubstr("nnz_max: is missing"));
}

}  // namespace
}  // namespace noctune::testing
