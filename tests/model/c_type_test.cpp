#include "model/c_type.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

TEST(CType, MakesParametersOfArrays) {
  EXPECT_EQ(parameter_type("double[3]*"), "double (*)[3]");
  EXPECT_EQ(parameter_type("const double [n][3]"), "const double (*)[3]");
  EXPECT_EQ(parameter_type("int[8]"), "int*");
  EXPECT_EQ(parameter_type("double (*)[3]"), "double (*)[3]");
  EXPECT_EQ(parameter_type("const float* __restrict__"), "const float* __restrict__");
  EXPECT_EQ(parameter_type("float[4]* __restrict__"), "float (* __restrict__)[4]");
}

TEST(CType, DeclaresNames) {
  EXPECT_EQ(declared("double (*)[3]", "x"), "double (*x)[3]");
  EXPECT_EQ(declared("double (* __restrict__)[3]", "x"), "double (* __restrict__ x)[3]");
  EXPECT_EQ(declared("double[3][2]", "x"), "double x[3][2]");
  EXPECT_EQ(declared("const Atom*", "a"), "const Atom* a");
}

TEST(CType, KnowsWhatPointersPointTo) {
  EXPECT_EQ(pointee("const struct Atom* __restrict__"), "Atom");
  EXPECT_EQ(pointee("const double (*)[3]"), "double[3]");
  EXPECT_EQ(pointee("unsigned long*"), "unsigned long");
  EXPECT_TRUE(is_pointer_type("double (*)[3]"));
  EXPECT_EQ(stars_of("double**"), 2);
  EXPECT_EQ(without_restrict("const float4* __restrict__"), "const float4*");
}

TEST(CType, CountsElements) {
  EXPECT_EQ(elements_per("double[2][3]", {}), 6);
  EXPECT_EQ(elements_per("double", {}), 1);
  EXPECT_EQ(elements_per("double[D]", {{"D", "3"}}), 3);
  EXPECT_EQ(elements_per("double[D]", {}), std::nullopt);
  EXPECT_EQ(elements_per("double[0]", {}), std::nullopt);
  EXPECT_EQ(elements_per("double[1000000][1000000]", {}), std::nullopt);
  EXPECT_EQ(elements_per("double[A]", {{"A", "A"}}), std::nullopt);
}

}  // namespace
}  // namespace noctune
