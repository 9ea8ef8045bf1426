#include "base/digest.hpp"

#include <gmock/gmock.h>

#include <set>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace noctune {
namespace {

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Crc32, MatchesThePublishedVectors) {
  EXPECT_EQ(crc32(""), 0U);
  EXPECT_EQ(crc32("123456789"), 0xcbf43926U);
  EXPECT_NE(crc32(std::string("a\0b", 3)), crc32("a"));
}

TEST(RandomUuid, IsOfVersionFourAndNew) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string uuid = random_uuid();
    EXPECT_THAT(uuid,
                testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(RandomU64, DoesNotRepeat) {
  EXPECT_NE(random_u64(), random_u64());
}

TEST(Clock, WritesIsoTimes) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(iso_time(1769893445.9), "2026-01-31T21:04:05Z");
}

TEST(Clock, SteadyTimeOnlyGrows) {
  const double before = steady_seconds();
  const Stopwatch watch;
  EXPECT_GE(watch.seconds(), 0);
  EXPECT_GE(steady_seconds(), before);
}

TEST(Errors, SayProblemReasonAndHint) {
  EXPECT_EQ((Error{"p"}.text()), "p");
  EXPECT_EQ((Error{"p", "r"}.text()), "p: r");
  EXPECT_EQ((Error{"p", "r", "h"}.text()), "p: r\n  hint: h");
  EXPECT_EQ((Error{"p", "", "h"}.text()), "p\n  hint: h");
}

TEST(Errors, BecomeExceptionsAtTheBridge) {
  EXPECT_EQ(value_or_throw(Result<int>(3)), 3);
  try {
    value_or_throw(Result<int>(fail("p", "r")), Exit::no_device);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "p: r");
    EXPECT_EQ(error.code(), Exit::no_device);
  }
  EXPECT_THROW(value_or_throw(Result<void>(fail("p"))), UserError);
  EXPECT_NO_THROW(value_or_throw(Result<void>()));
}

}  // namespace
}  // namespace noctune
