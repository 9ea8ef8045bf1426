#include "mep/completion/c_expression.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

std::string shown(const CExpression& expression) {
  if (expression.parts.empty()) return expression.text;
  std::string out = "(" + expression.text;
  for (const CExpression& part : expression.parts) out += " " + shown(part);
  return out + ")";
}

std::string parsed(const std::string& text) {
  const std::optional<CExpression> out = parse_c_expression(text);
  return out ? shown(*out) : "none";
}

TEST(CExpression, FollowsPrecedence) {
  EXPECT_EQ(parsed("i * ld + j"), "(+ (* i ld) j)");
  EXPECT_EQ(parsed("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(parsed("t >> 1 & 3"), "(& (>> t 1) 3)");
  EXPECT_EQ(parsed("i < n ? i : n - 1"), "(? (< i n) i (- n 1))");
}

TEST(CExpression, LeavesCastsOut) {
  EXPECT_EQ(parsed("(long)row * ncol"), "(* row ncol)");
  EXPECT_EQ(parsed("(size_t)(i + 1)"), "(+ i 1)");
  EXPECT_EQ(parsed("static_cast<int>(x)"), "x");
  EXPECT_EQ(parsed("int(x) + 1"), "(+ x 1)");
}

TEST(CExpression, KnowsMembersAndThreads) {
  EXPECT_EQ(parsed("blockIdx.x * blockDim.x + threadIdx.x"), "(+ (* blockIdx.x blockDim.x) threadIdx.x)");
  EXPECT_EQ(parsed("hipBlockIdx_x"), "blockIdx.x");
  EXPECT_EQ(parsed("dom->nx"), "dom.nx");
  EXPECT_EQ(parsed("a[b[i] + 1]"), "(a (+ (b i) 1))");
}

TEST(CExpression, GivesNothingForWhatItDoesNotKnow) {
  for (const char* text : {"", "?", "i +", "i = 3", "f(", "\"text\"", "[&] { return 1; }"})
    EXPECT_EQ(parsed(text), "none") << text;
  EXPECT_EQ(parsed(std::string(5000, '(')), "none");
}

TEST(CExpression, TakesConditionsApart) {
  const auto conditions = comparisons_in(*parse_c_expression("!(i >= n || j > 3) && k == 2"));
  ASSERT_EQ(conditions.size(), 3U);
  EXPECT_EQ(conditions[0].op, "<");
  EXPECT_EQ(conditions[0].left.text, "i");
  EXPECT_EQ(conditions[1].op, "<=");
  EXPECT_EQ(conditions[2].op, "==");
}

TEST(CExpression, SplitsOutsideOfBrackets) {
  EXPECT_EQ(split_outside_brackets("i][j + a[k]", "][").size(), 2U);
  EXPECT_EQ(split_outside_brackets("f(a, b), c", ",").size(), 2U);
}

}  // namespace
}  // namespace noctune
