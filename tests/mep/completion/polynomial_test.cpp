#include "mep/completion/polynomial.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

Polynomial name(const char* text) {
  return Polynomial::of(text);
}

TEST(Polynomial, WritesItselfAsTheSpecDoes) {
  EXPECT_EQ((name("n") * name("m") + 1).text(), "m*n+1");
  EXPECT_EQ(Polynomial(0).text(), "0");
  EXPECT_EQ((Polynomial(0) - name("n")).text(), "0-n");
}

TEST(Polynomial, CutsQuotientsOverOneDenominator) {
  EXPECT_EQ((name("n") + 255).over(Polynomial(256))->text(), "floor((n+255)/256)");
  EXPECT_EQ(name("n").over(Polynomial(2))->text(), "floor(n/2)");
  EXPECT_EQ((name("n").over(name("t"))->operator+(1)).text(), "floor((n+t)/t)");
}

TEST(Polynomial, DividesByOneTermAlone) {
  EXPECT_EQ(*(name("n") * name("t")).over(name("t")), name("n"));
  EXPECT_FALSE(name("n").over(name("t") + 1).has_value());
}

TEST(Polynomial, PutsInValues) {
  const Polynomial index = name("i") * name("ld") + name("j");
  EXPECT_EQ(index.with("i", name("n") - 1).with("j", name("ld") - 1), name("n") * name("ld") - 1);
  EXPECT_EQ(index.coefficient("i"), name("ld"));
  EXPECT_EQ(index.without("i"), name("j"));
}

TEST(Polynomial, ComparesForEverydaySizes) {
  EXPECT_GT(compare_typical(name("n") * name("n"), name("n") * Polynomial(10)), 0);
  EXPECT_LT(compare_typical(name("n") - 1, name("n")), 0);
  EXPECT_EQ(compare_typical(name("n") + 1, name("n") + 1), 0);
}

}  // namespace
}  // namespace noctune
