#include "evaluator/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace noctune {
namespace {

TEST(TrimmedMean, DropsBothEnds) {
  EXPECT_DOUBLE_EQ(trimmed_mean({100, 1, 2, 3, -50}, 1), 2);
  EXPECT_DOUBLE_EQ(trimmed_mean({4, 2}, 0), 3);
}

TEST(TrimmedMean, NeedsMoreThanTwiceTheTrim) {
  EXPECT_THROW(trimmed_mean({1, 2, 3, 4}, 2), std::invalid_argument);
  EXPECT_THROW(trimmed_mean({}, 0), std::invalid_argument);
}

TEST(Median, OddAndEven) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_THROW(median({}), std::invalid_argument);
}

// Table values: t(0.975, 4) = 2.7764, t(0.975, 1) = 12.706, t(0.975, 30) = 2.0423.
TEST(Student, TwoSidedTailMatchesTables) {
  EXPECT_NEAR(student_two_sided_p(2.7764451, 4), 0.05, 1e-6);
  EXPECT_NEAR(student_two_sided_p(12.7062047, 1), 0.05, 1e-6);
  EXPECT_NEAR(student_two_sided_p(2.0422725, 30), 0.05, 1e-6);
  EXPECT_NEAR(student_two_sided_p(0, 9), 1, 1e-12);
  EXPECT_LT(student_two_sided_p(50, 4), 1e-5);
}

TEST(Student, IntervalAroundTheMean) {
  const StudentResult t = student_t({1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(t.mean, 3);
  const double reach = 2.7764451 * std::sqrt(2.5 / 5);
  EXPECT_NEAR(t.high - t.mean, reach, 1e-5);
  EXPECT_NEAR(t.mean - t.low, reach, 1e-5);
  EXPECT_THROW(student_t({1}), std::invalid_argument);
}

TEST(Student, EqualObservationsAreCertain) {
  EXPECT_EQ(student_t({2, 2, 2}).p_value, 0);
  EXPECT_EQ(student_t({0, 0, 0}).p_value, 1);
}

TEST(Holm, StepsDownAndStaysMonotone) {
  const std::vector<double> adjusted = holm({0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(adjusted[3], 0.02, 1e-12);
  EXPECT_NEAR(adjusted[0], 0.03, 1e-12);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-12);
  EXPECT_NEAR(adjusted[1], 0.06, 1e-12);
  EXPECT_EQ(holm({0.9, 0.8})[0], 1);
  EXPECT_TRUE(holm({}).empty());
}

TEST(Bootstrap, CoversATrueRatioAndRepeats) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> noise(0, 0.02);
  std::vector<double> reference, candidate;
  for (int i = 0; i < 40; ++i) {
    reference.push_back(2 * (1 + noise(engine)));
    candidate.push_back(1 + noise(engine));
  }
  const Interval interval = bootstrap_speedup(reference, candidate, 4, 11);
  EXPECT_LT(interval.low, 2.01);
  EXPECT_GT(interval.high, 1.99);
  EXPECT_LT(interval.high - interval.low, 0.1);
  const Interval again = bootstrap_speedup(reference, candidate, 4, 11);
  EXPECT_EQ(interval.low, again.low);
}

TEST(GeometricMean, OfRatios) {
  EXPECT_NEAR(geometric_mean({2, 8}), 4, 1e-12);
  EXPECT_TRUE(std::isnan(geometric_mean({})));
}

}  // namespace
}  // namespace noctune
