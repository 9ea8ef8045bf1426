#include "mep/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

namespace noctune {
namespace {

using ::testing::HasSubstr;

template <class T>
std::string_view bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
OutputDifference doubles(const std::vector<double>& r, const std::vector<double>& c,
                         double tolerance = 1e-12) {
  return compare(ElementType::f64, bytes(r), bytes(c), {tolerance, {}});
}
std::vector<double> wave(std::size_t n) {
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = std::sin(0.1 * static_cast<double>(i)) + 1e-3;
  return out;
}
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(Tolerance, FollowsTypeAndDepth) {
  EXPECT_DOUBLE_EQ(tolerance_for(ElementType::f64, 1), 4 * 0x1p-53);
  EXPECT_DOUBLE_EQ(tolerance_for(ElementType::f64, 1024), 128 * 0x1p-53);
  EXPECT_DOUBLE_EQ(tolerance_for(ElementType::f64, 1e20), 1e-10);
  EXPECT_DOUBLE_EQ(tolerance_for(ElementType::f32, 1e20), 1e-4);
  EXPECT_DOUBLE_EQ(tolerance_for(ElementType::f16, 1e20), 4 * 0x1p-11);
  EXPECT_DOUBLE_EQ(tolerance_for(ElementType::f64, 0), 4 * 0x1p-53);
  EXPECT_EQ(tolerance_for(ElementType::i32, 100), 0);
}

TEST(Compare, EqualPasses) {
  const auto r = wave(1000);
  const OutputDifference same = doubles(r, r, 0);
  EXPECT_TRUE(same.passed);
  EXPECT_EQ(same.error, 0);
  EXPECT_EQ(same.count, 1000);
  EXPECT_TRUE(doubles({}, {}).passed);
}

TEST(Compare, RoundingPassesAndMoreDoesNot) {
  const auto r = wave(5000);
  auto c = r;
  for (double& value : c) value *= 1 + 3e-13;
  EXPECT_TRUE(doubles(r, c).passed);
  for (double& value : c) value *= 1 + 3e-12;
  const OutputDifference off = doubles(r, c);
  EXPECT_FALSE(off.passed);
  EXPECT_NEAR(off.error, 3.3e-12, 1e-13);
}

TEST(Compare, OneWrongElementAmongManyIsFound) {
  const auto r = wave(65536);
  auto c = r;
  c[17] = 0;
  const OutputDifference found = doubles(r, c);
  EXPECT_FALSE(found.passed);
  EXPECT_EQ(found.violations, 1);
  EXPECT_EQ(found.first, 17);
  EXPECT_THAT(found.text("C"),
              HasSubstr("C[17] (of 65536): expected 0.992665, got 0; 1 element differs, norm-wise error"));
}

TEST(Compare, ASmallRowIsHeldToItsOwnScale) {
  std::vector<double> r = wave(1024 * 256);
  for (std::size_t i = 0; i < 256; ++i) r[i] *= 1e-4;
  auto c = r;
  for (std::size_t i = 0; i < 256; ++i) c[i] = 0;
  const OutputDifference found = doubles(r, c, 1e-5);
  EXPECT_LE(found.error, 1e-5) << "norm-wise alone would pass";
  EXPECT_FALSE(found.passed);
  EXPECT_EQ(found.violations, 256);
}

TEST(Compare, ARowOfCancellationIsMeasuredByTheWhole) {
  std::vector<double> r = wave(512);
  for (std::size_t i = 256; i < 512; ++i) r[i] = 0;
  auto c = r;
  for (std::size_t i = 256; i < 512; ++i) c[i] = 1e-17;
  EXPECT_TRUE(doubles(r, c, 1e-15).passed);
}

TEST(Compare, AllZerosNeverPass) {
  const auto r = wave(4096);
  EXPECT_FALSE(doubles(r, std::vector<double>(4096, 0.0), 1e-2).passed);
  EXPECT_TRUE(doubles({0, 0}, {0, -0.0}, 0).passed);
  EXPECT_FALSE(doubles({0, 0}, {0, 1e-300}).passed);
}

TEST(Compare, NonFiniteValuesMatchByClassAndSign) {
  EXPECT_TRUE(doubles({1, nan_value, infinite}, {1, -nan_value, infinite}).passed);
  EXPECT_EQ(doubles({1, nan_value, infinite}, {1, nan_value, infinite}).non_finite, 2);
  EXPECT_FALSE(doubles({1, infinite}, {1, -infinite}).passed);
  EXPECT_FALSE(doubles({1, nan_value}, {1, infinite}).passed);
  EXPECT_FALSE(doubles({1, 2}, {1, nan_value}).passed);
  EXPECT_FALSE(doubles({1, nan_value}, {1, 2}).passed);
  EXPECT_THAT(doubles({1, 2}, {1, nan_value}).text("y"), HasSubstr("expected 2, got NaN"));
}

TEST(Compare, HugeValuesDoNotOverflow) {
  const std::vector<double> r = {1e308, -1e308, 1e300};
  EXPECT_TRUE(doubles(r, r, 0).passed);
  EXPECT_FALSE(doubles(r, {1e308, 1e308, 1e300}).passed);
}

TEST(Compare, UntouchedElementsMustStay) {
  const std::uint64_t poison = 0x7ffda5c37ffda5c3ULL;
  std::vector<float> r = {1, 2, 3, 4};
  std::memcpy(&r[1], &poison, 4);
  auto c = r;
  EXPECT_TRUE(compare(ElementType::f32, bytes(r), bytes(c), {0, poison}).passed);
  EXPECT_EQ(compare(ElementType::f32, bytes(r), bytes(c), {0, poison}).untouched, 1);
  c[1] = 0;
  const OutputDifference found = compare(ElementType::f32, bytes(r), bytes(c), {0, poison});
  EXPECT_TRUE(found.clobbered);
  EXPECT_THAT(found.text("z"), HasSubstr("z[1] (of 4): expected left untouched, got 0"));
  auto forgot = r;
  std::memcpy(&forgot[2], &poison, 4);
  EXPECT_FALSE(compare(ElementType::f32, bytes(r), bytes(forgot), {1e-4, poison}).passed);
}

TEST(Compare, IntegersAreExact) {
  const std::vector<std::int32_t> r = {1, -2, 3};
  EXPECT_TRUE(compare(ElementType::i32, bytes(r), bytes(r), {0, {}}).passed);
  const OutputDifference found =
      compare(ElementType::i32, bytes(r), bytes(std::vector<std::int32_t>{1, -3, 4}), {1, {}});
  EXPECT_FALSE(found.passed);
  EXPECT_EQ(found.violations, 2);
  EXPECT_THAT(found.text("idx"), HasSubstr("idx[1] (of 3): expected -2, got -3; 2 elements differ"));
}

TEST(Compare, SizesMustAgree) {
  const OutputDifference found = doubles({1, 2, 3}, {1, 2});
  EXPECT_FALSE(found.passed);
  EXPECT_THAT(found.text("C"), HasSubstr("expected 24 bytes, got 16 bytes"));
}

TEST(Compare, ReadsHalvesAndComplex) {
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x0001, 0x7c00};  // 1, -2, smallest, infinity
  auto c = halves;
  EXPECT_TRUE(compare(ElementType::f16, bytes(halves), bytes(c), {0, {}}).passed);
  c[1] = 0xc001;
  EXPECT_FALSE(compare(ElementType::f16, bytes(halves), bytes(c), {1e-4, {}}).passed);
  EXPECT_TRUE(compare(ElementType::f16, bytes(halves), bytes(c), {2e-3, {}}).passed);
  using Complex = std::complex<double>;
  const std::vector<Complex> z = {{1, 2}, {3, 4}};
  const OutputDifference found =
      compare(ElementType::c128, bytes(z), bytes(std::vector<Complex>{{1, 2}, {3, 5}}), {1e-9, {}});
  EXPECT_EQ(found.count, 2);
  EXPECT_EQ(found.first, 1);
}

TEST(Distance, MeasuresSpread) {
  const auto r = wave(100);
  auto c = r;
  EXPECT_EQ(distance(ElementType::f64, bytes(r), bytes(c)), 0);
  for (double& value : c) value *= 1 + 1e-10;
  EXPECT_NEAR(distance(ElementType::f64, bytes(r), bytes(c)), 1e-10, 1e-13);
  c[3] = nan_value;
  EXPECT_EQ(distance(ElementType::f64, bytes(r), bytes(c)), infinite);
}

TEST(Distance, KnowsIntegralAndNonFinite) {
  EXPECT_TRUE(all_integral(ElementType::f64, bytes(std::vector<double>{1, -3, 0, 1e300})));
  EXPECT_FALSE(all_integral(ElementType::f64, bytes(std::vector<double>{1, 0.5})));
  EXPECT_FALSE(all_integral(ElementType::f64, bytes(std::vector<double>{nan_value})));
  EXPECT_TRUE(any_non_finite(ElementType::f64, bytes(std::vector<double>{1, nan_value})));
  std::vector<double> poisoned = {1, 0};
  const std::uint64_t poison = 0x7ffda5c37ffda5c3ULL;
  std::memcpy(&poisoned[1], &poison, 8);
  EXPECT_TRUE(any_non_finite(ElementType::f64, bytes(poisoned)));
  EXPECT_FALSE(any_non_finite(ElementType::f64, bytes(poisoned), poison));
}

}  // namespace
}  // namespace noctune
