#include "evaluator/profile/refusal.hpp"

#include <gmock/gmock.h>

#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

TEST(Refusal, KnowsTheForms) {
  const struct {
    const char* text;
    RefusalKind kind;
    bool lasts;
  } cases[] = {
      {"==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance "
       "Counters on the target device 0.\n",
       RefusalKind::permission, true},
      {"==ERROR== Profiling failed because a driver resource was unavailable. Ensure that no other tool "
       "(like "
       "DCGM) is concurrently collecting profiling data.\n",
       RefusalKind::busy, false},
      {"==ERROR== LibraryNotLoaded\n", RefusalKind::unsupported, true},
      {"==PROF== Connected\n==WARNING== No kernels were profiled.\n", RefusalKind::no_kernel, false},
      {"==ERROR== The application returned an error code (11).\n", RefusalKind::child_failed, false},
      {"==ERROR== Something new\n", RefusalKind::unsupported, true},
  };
  for (const auto& one : cases) {
    const auto found = profiler_refusal(one.text);
    ASSERT_TRUE(found) << one.text;
    EXPECT_EQ(found->kind, one.kind) << one.text;
    EXPECT_EQ(found->is_lasting(), one.lasts) << one.text;
    EXPECT_FALSE(found->error.problem.empty() || found->error.reason.empty() || found->error.hint.empty());
  }
}

TEST(Refusal, QuotesTheLineAndNamesTheCauseFirst) {
  const auto found = profiler_refusal(
      "==PROF== Connected\n==ERROR== The application returned an error code (1).\n"
      "==ERROR== ERR_NVGPUCTRPERM - no\nmore\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, RefusalKind::permission);
  EXPECT_EQ(found->error.reason, "==ERROR== ERR_NVGPUCTRPERM - no");
  EXPECT_THAT(found->error.hint, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST(Refusal, IsNotSeenWhereThereIsNone) {
  EXPECT_FALSE(profiler_refusal(profile_data("ncu-h200-all-metrics.csv")));
  EXPECT_FALSE(profiler_refusal(""));
}

}  // namespace
}  // namespace noctune
