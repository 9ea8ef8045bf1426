#include "base/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace noctune {
namespace {

TEST(DurationText, PicksTheUnit) {
  EXPECT_EQ(duration_text(5e-9), "5 ns");
  EXPECT_EQ(duration_text(12.3e-6), "12.30 us");
  EXPECT_EQ(duration_text(1.5e-3), "1.50 ms");
  EXPECT_EQ(duration_text(4.25), "4.25 s");
  EXPECT_EQ(duration_text(600), "10 min");
  EXPECT_EQ(duration_text(2 * 3600 + 180), "2 h 03 min");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(ParseDuration, TakesHoursMinutesSeconds) {
  EXPECT_EQ(parse_duration("1:02:03"), 3723);
  EXPECT_EQ(parse_duration("62:03"), 3723);
  EXPECT_EQ(parse_duration("3723"), 3723);
  for (const char* bad : {"", "1:", ":1", "1:2:3:4", "-5", "1.5", "x"})
    EXPECT_LT(parse_duration(bad), 0) << bad;
}

TEST(Joined, PutsTheSeparatorBetween) {
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"one"}), "one");
  EXPECT_EQ(joined({"one", "two", "three"}), "one, two, three");
  EXPECT_EQ(joined({"-O3", "-g"}, " "), "-O3 -g");
}

TEST(BytesText, PicksTheUnit) {
  EXPECT_EQ(bytes_text(12), "12 B");
  EXPECT_EQ(bytes_text(1.5e6), "1.5 MB");
  EXPECT_EQ(bytes_text(2e9), "2.00 GB");
}

}  // namespace
}  // namespace noctune
