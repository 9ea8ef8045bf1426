#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

const std::string mark = "\xEF\xBF\xBD";

TEST(Utf8Test, ValidTextStaysAsItIs) {
  const std::string text =
      std::string("a\0b", 3) + "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xED\x9F\xBF\xF4\x8F\xBF\xBF";
  EXPECT_EQ(repaired_utf8(text), text);
}

TEST(Utf8Test, WhatIsInvalidBecomesReplacementCharacters) {
  EXPECT_EQ(repaired_utf8("a\xFF"
                          "b"),
            "a" + mark + "b");
  EXPECT_EQ(repaired_utf8("\xC0\xAF"), mark + mark);             // overlong
  EXPECT_EQ(repaired_utf8("\xED\xA0\x80"), mark + mark + mark);  // surrogate
  EXPECT_EQ(repaired_utf8("\xF4\x90\x80\x80"), mark + mark + mark + mark);
  EXPECT_EQ(repaired_utf8("\xE2\x82"), mark);  // cut
  EXPECT_EQ(repaired_utf8("\xF0\x9F\x98"
                          "a"),
            mark + "a");
  EXPECT_EQ(repaired_utf8("\x80"), mark);
}

TEST(Utf8Test, EveryPairOfBytesComesOutValid) {
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const std::string text{static_cast<char>(a), static_cast<char>(b), 'x'};
      const std::string once = repaired_utf8(text);
      ASSERT_EQ(repaired_utf8(once), once);
      ASSERT_EQ(once.back(), 'x');
    }
}

}  // namespace
}  // namespace noctune
