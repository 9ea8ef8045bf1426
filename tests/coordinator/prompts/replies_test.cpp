#include "coordinator/prompts/replies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "coordinator/prompts/version.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Replies, AreReadAsExpected) {
  const std::vector<ReplyCase> cases = reply_cases();
  EXPECT_GE(cases.size(), 40u);
  for (const ReplyCase& one : cases) {
    SCOPED_TRACE(one.name);
    const Result<WrittenVersion> version = read_version(one.text, scale_mep());
    if (!one.ok) {
      ASSERT_FALSE(version) << version->source;
      EXPECT_THAT(version.error().text(), HasSubstr(one.has));
      EXPECT_FALSE(version.error().problem.empty());
      continue;
    }
    if (!version) {
      ADD_FAILURE() << version.error().text();
      continue;
    }
    EXPECT_THAT(version->source, HasSubstr(one.has));
    const std::string notes = joined(version->mended, "; ");
    EXPECT_THAT(notes, HasSubstr(one.note));
    EXPECT_EQ(notes.empty(), one.note.empty()) << notes;
    EXPECT_EQ(joined(version->flags, " "), one.flags);
    EXPECT_EQ(joined(version->patterns, " "), one.patterns);
    if (!one.lacks.empty()) {
      EXPECT_THAT(version->source, Not(HasSubstr(one.lacks)));
    }
    EXPECT_THAT(version->source, Not(HasSubstr("noctune:")));
  }
}

}  // namespace
}  // namespace noctune
