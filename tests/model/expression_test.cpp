#include "model/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

double value(const std::string& text, const Symbols& symbols = {}) {
  return value_or_throw(evaluate(text, symbols));
}
std::string problem(const std::string& text, const Symbols& symbols = {}) {
  const auto result = evaluate(text, symbols);
  return result ? "no error: " + std::to_string(*result) : result.error().text();
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("1+2*3"), 7);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("10-3-2"), 5);
  EXPECT_EQ(value("-2*-3"), 6);
  EXPECT_EQ(value("7%4"), 3);
  EXPECT_EQ(value("7/2"), 3.5);
  EXPECT_EQ(value(" 2 * 1.5e3 "), 3000);
  EXPECT_EQ(value("--3"), 3);
}

TEST(Expression, KnowsItsFunctions) {
  EXPECT_EQ(value("ceil(7/2)+floor(7/2)"), 7);
  EXPECT_EQ(value("min(3,1,2)"), 1);
  EXPECT_EQ(value("max(3,n)", {{"n", 8}}), 8);
  EXPECT_EQ(value("sqrt(16)"), 4);
  EXPECT_EQ(value("log2(1024)"), 10);
}

TEST(Expression, ReadsDottedNames) {
  EXPECT_EQ(value("2*A.nnz+n", {{"A.nnz", 10}, {"n", 1}}), 21);
  EXPECT_THAT(*names_in("2*A.nnz + max(n, m) - n"), ElementsAre("A.nnz", "n", "m"));
}

TEST(Expression, SaysWhatIsWrong) {
  EXPECT_THAT(problem("n+m", {{"n", 1}}), HasSubstr("\"m\" is not a size"));
  EXPECT_THAT(problem("1/0"), HasSubstr("division by zero"));
  EXPECT_THAT(problem("1%(2-2)"), HasSubstr("division by zero"));
  EXPECT_THAT(problem("sqrt(0-1)"), HasSubstr("negative"));
  EXPECT_THAT(problem("log2(0)"), HasSubstr("not positive"));
  EXPECT_THAT(problem("(1+2"), HasSubstr("parenthesis"));
  EXPECT_THAT(problem("1 2"), HasSubstr("not expected"));
  EXPECT_THAT(problem(""), HasSubstr("it ends"));
  EXPECT_THAT(problem("2*"), HasSubstr("it ends"));
  EXPECT_THAT(problem("sin(1)"), HasSubstr("no function sin"));
  EXPECT_THAT(problem("sqrt(1,2)"), HasSubstr("one argument"));
  EXPECT_THAT(problem("$"), HasSubstr("\"$\""));
  EXPECT_THAT(problem("1e300*1e300"), HasSubstr("not finite"));
  EXPECT_THAT(problem(std::string(10000, '(')), HasSubstr("too deeply"));
  EXPECT_THAT(problem(std::string(10000, '-')), HasSubstr("too deeply"));
}

TEST(Expression, WholeNumbersAreExactOrAnError) {
  EXPECT_EQ(value_or_throw(evaluate_integer("n*n", {{"n", 3000000}})), 9000000000000LL);
  EXPECT_THAT(evaluate_integer("n/2", {{"n", 5}}).error().text(), HasSubstr("floor"));
  EXPECT_THAT(evaluate_integer("n*n*n", {{"n", 3000000}}).error().text(), HasSubstr("2^53"));
  EXPECT_EQ(value_or_throw(evaluate_integer("0-3", {})), -3);
}

TEST(Expression, NamesAreFoundWithoutValues) {
  EXPECT_THAT(*names_in("1/n"), ElementsAre("n"));
  EXPECT_THAT(*names_in("log2(n-1)"), ElementsAre("n"));
  EXPECT_FALSE(names_in("n+"));
}

}  // namespace
}  // namespace noctune
