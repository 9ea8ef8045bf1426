#include "coordinator/rules/recipe.hpp"

#include <gtest/gtest.h>

#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules {
namespace {

TEST(Recipe, ReadsAndWritesSteps) {
  const std::string text = "rows;parallel@i2(chunk=8,schedule=dynamic);simd";
  const auto steps = parse_recipe(text);
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 3u);
  EXPECT_EQ((*steps)[1].target, "i2");
  EXPECT_EQ((*steps)[1].integer("chunk", 1), 8);
  EXPECT_EQ((*steps)[1].text("schedule", ""), "dynamic");
  EXPECT_EQ(to_text(*steps), text);
}

TEST(Recipe, JoinsTheNamesOfSeveralLoops) {
  const std::string text = "tile(loops=i+j2,size=32)";
  const auto steps = parse_recipe(text);
  ASSERT_TRUE(steps);
  EXPECT_EQ((*steps)[0].text("loops", ""), "i+j2");
  EXPECT_EQ(to_text(*steps), text);
}

TEST(Recipe, EmptyTextIsTheOriginal) {
  const auto steps = parse_recipe("");
  ASSERT_TRUE(steps);
  EXPECT_TRUE(steps->empty());
}

TEST(Recipe, RefusesWhatItDoesNotKnow) {
  for (const char* bad :
       {"teleport", "parallel(", "parallel(chunk)", "parallel(chunk=;x)", "simd@", "jam(rows=4",
        "tile(size=)", "ti+le", "tile(si+ze=4)x", "flags(set=-Ofast x)", ";;"})
    EXPECT_FALSE(parse_recipe(bad)) << bad;
}

ExprPtr name(const char* text) {
  return variable(text, "int");
}

TEST(Expression, PrintsTheFewestParentheses) {
  const ExprPtr sum = binary("+", name("a"), name("b"));
  EXPECT_EQ(print(binary("*", sum, name("c"))), "(a + b) * c");
  EXPECT_EQ(print(binary("-", name("c"), sum)), "c - (a + b)");
  EXPECT_EQ(print(binary("+", sum, name("c"))), "a + b + c");
  EXPECT_EQ(print(binary("+", name("c"), sum)), "c + (a + b)");
  EXPECT_EQ(print(node(ExprKind::unary, "-", "int", {node(ExprKind::unary, "-", "int", {name("a")})})),
            "-(-a)");
}

TEST(Expression, FoldsConstants) {
  EXPECT_EQ(print(folded(binary("-", binary("+", name("i"), number(1)), number(1)))), "i");
  EXPECT_EQ(print(folded(binary("+", binary("*", number(2), number(5)), number(-3)))), "7");
  EXPECT_EQ(print(plus(plus(name("i"), 3), -5)), "i - 2");
}

TEST(Polynomial, ComparesProducts) {
  const auto left = polynomial_of(binary("*", binary("+", name("i"), number(1)), name("n")));
  const auto right = polynomial_of(binary("+", binary("*", name("n"), name("i")), name("n")));
  ASSERT_TRUE(left && right);
  EXPECT_TRUE(*left == *right);
}

TEST(Polynomial, KnowsWhatIsNeverNegative) {
  EXPECT_TRUE(never_negative(*polynomial_of(binary("-", name("n"), number(1)))));
  EXPECT_FALSE(never_negative(*polynomial_of(binary("-", name("n"), number(2)))));
  EXPECT_FALSE(never_negative(*polynomial_of(binary("-", name("n"), name("m")))));
}

TEST(Polynomial, DoesNotReadMemoryOrDivide) {
  EXPECT_FALSE(polynomial_of(index(variable("a", "int *"), name("i"), "int")));
  EXPECT_FALSE(polynomial_of(binary("/", name("i"), number(2))));
}

TEST(Template, IndentsPiecesAndDropsEmptyLines) {
  EXPECT_EQ(fill_template("a $x;\n  $piece\n  $none\nb\n",
                          {{"x", "1"}, {"piece", "p\nq\n#pragma z\n"}, {"none", ""}}),
            "a 1;\n  p\n  q\n#pragma z\nb\n");
}

}  // namespace
}  // namespace noctune::rules
