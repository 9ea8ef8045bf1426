#include "mep/captured_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/expression.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;

CapturedLaunch launch(const std::string& n, const std::string& a, long long count, long long weight) {
  CapturedLaunch out;
  out.kernel = "smooth";
  out.weight = weight;
  out.arguments = {{"n", "int32_t", "value", n, 0, "", 0, 0},
                   {"a", "double", "value", a, 0, "", 0, 0},
                   {"x", "double", "in", "", count, "s", 0, 8 * count},
                   {"y", "double", "inout", "", count, "t", 0, 8 * count},
                   {"r", "float", "out", "", weight == 2 ? 2 : 1, "", 0, 0}};
  return out;
}

TEST(CapturedSpec, OneLaunchIsOneCaseOfPlainNumbers) {
  const CapturedSpec made = value_or_throw(spec_of_captures({launch("10", "0.5", 10, 3)}));
  EXPECT_EQ(made.spec["entry"], "smooth");
  EXPECT_EQ(made.spec["params"][0]["value"], "n");
  EXPECT_EQ(made.spec["params"][1]["value"], "0.5");
  EXPECT_EQ(made.spec["params"][2]["type"], "const double*");
  EXPECT_EQ(made.spec["params"][2]["count"], "n");
  EXPECT_EQ(made.spec["params"][2]["init"], "captured.x");
  EXPECT_EQ(made.spec["params"][4]["role"], "out");
  EXPECT_FALSE(made.spec["params"][4].contains("init"));
  EXPECT_EQ(made.spec["cases"].size(), 1u);
  ASSERT_EQ(made.files.size(), 2u);
  EXPECT_EQ(made.files[0].first, "smooth.captured/x.1.bin");
}

TEST(CapturedSpec, SeveralLaunchesAreWeightedCasesWithTheirOwnNumbers) {
  const CapturedSpec made =
      value_or_throw(spec_of_captures({launch("10", "0.5", 10, 3), launch("12", "-0.25", 12, 2)}));
  ASSERT_EQ(made.spec["cases"].size(), 2u);
  EXPECT_EQ(made.spec["cases"][1]["weight"], 2);
  EXPECT_EQ(made.spec["cases"][1]["sizes"]["n"], 12);
  EXPECT_EQ(made.spec["cases"][1]["sizes"]["launch"], 2);
  const std::string a = made.spec["params"][1]["value"], count = made.spec["params"][4]["count"];
  EXPECT_EQ(value_or_throw(evaluate(a, {{"launch", 1}})), 0.5);
  EXPECT_EQ(value_or_throw(evaluate(a, {{"launch", 2}})), -0.25);
  EXPECT_EQ(made.spec["params"][2]["count"], "n") << "a size says it";
  EXPECT_EQ(value_or_throw(evaluate_integer(count, {{"launch", 2}})), 2);
  EXPECT_EQ(made.spec["data"]["captured"]["parts"]["y"]["file"], "smooth.captured/y.{launch}.bin");
  EXPECT_EQ(made.files.size(), 4u);
}

TEST(CapturedSpec, ZeroIsNoSize) {
  const CapturedSpec made = value_or_throw(spec_of_captures({launch("0", "1", 10, 1)}));
  EXPECT_EQ(made.spec["params"][0]["value"], "0");
  EXPECT_FALSE(made.spec["sizes"].contains("n"));
}

TEST(CapturedSpec, ElementsWithoutATypeAreBytesAndSaid) {
  CapturedLaunch one = launch("10", "1", 10, 1);
  one.arguments[2].type = "bytes:12";
  const CapturedSpec made = value_or_throw(spec_of_captures({one}));
  EXPECT_EQ(made.spec["params"][2]["type"], "const uint8_t*");
  EXPECT_EQ(made.spec["params"][2]["count"], "120");
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_THAT(made.notes[0], HasSubstr("12 bytes"));
}

TEST(CapturedSpec, LaunchesThatDifferInKindAreRefused) {
  CapturedLaunch other = launch("10", "1", 10, 1);
  other.arguments[1].type = "float";
  const Result<CapturedSpec> made = spec_of_captures({launch("10", "1", 10, 1), other});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text(),
              HasSubstr("argument 2 is double a (value) in one and float a (value) in another"));
}

}  // namespace
}  // namespace noctune
