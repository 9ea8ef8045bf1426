#include "evaluator/sandbox_level.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using testing::HasSubstr;
using testing::Not;

SandboxState on_kernel(int landlock_version, int landlock_error = 0) {
  SandboxSupport support;
  support.landlock_version = landlock_version;
  support.landlock_error = landlock_error;
  SandboxState state = full_sandbox(support);
  state.kernel = "4.18.0";
  return state;
}

TEST(SandboxLevel, SaysWhatIsInForce) {
  EXPECT_EQ(level_text(on_kernel(7)), "landlock 7 (files, network, signals) + seccomp + limits");
  EXPECT_EQ(level_text(on_kernel(4)), "landlock 4 (files, network) + seccomp + limits");
  EXPECT_EQ(level_text(on_kernel(1)), "landlock 1 (files) + seccomp + limits");
  EXPECT_EQ(level_text(on_kernel(0, ENOSYS)), "seccomp + limits");
  SandboxState nothing = on_kernel(0, ENOSYS);
  nothing.level.calls = false;
  EXPECT_EQ(level_text(nothing), "limits only");
}

TEST(SandboxLevel, SaysSinglyWhatIsMissingAndWhy) {
  EXPECT_EQ(missing_text(on_kernel(7)), "");
  EXPECT_EQ(missing_text(on_kernel(3)), "");  // the call filter does it
  const std::string missing = missing_text(on_kernel(0, ENOSYS));
  EXPECT_THAT(missing, HasSubstr("files (no Landlock: Function not implemented (kernel 4.18.0))"));
  EXPECT_THAT(missing, Not(HasSubstr("calls")));
  SandboxSupport support;
  support.landlock_version = 7;
  support.seccomp_error = EINVAL;
  support.pidfd_error = ENOSYS;
  const SandboxState state = full_sandbox(support);
  EXPECT_THAT(missing_text(state), HasSubstr("calls (no seccomp filter: Invalid argument)"));
  EXPECT_THAT(missing_text(state), HasSubstr("handles (no pidfd"));
}

TEST(SandboxLevel, SaysACommonReasonOnce) {
  SandboxSupport support;
  support.landlock_error = support.seccomp_error = ENOSYS;
  SandboxState state = full_sandbox(support);
  state.kernel = "3.4";
  EXPECT_EQ(missing_text(state),
            "files, network, signals (no Landlock: Function not implemented (kernel 3.4)), "
            "calls (no seccomp filter: Function not implemented)");
}

TEST(SandboxLevel, EveryMissingPartHasARemedy) {
  for (const SandboxState& state : {on_kernel(0, ENOSYS), on_kernel(0, EOPNOTSUPP), on_kernel(3)})
    for (const SandboxPart& part : sandbox_parts(state))
      if (!part.in_force) {
        EXPECT_NE(part.remedy, "") << part.name;
      }
}

TEST(SandboxLevel, LoweredPartsSayWhatTheTestKernelSaid) {
  SandboxState state = on_kernel(7);
  state.level.files = state.level.shm = false;
  state.trouble = "the compiler could not be started";
  EXPECT_EQ(level_text(state), "landlock 7 (network, signals) + seccomp + limits");
  EXPECT_EQ(missing_text(state), "files (switched off: the compiler could not be started)");
}

TEST(SandboxLevel, IsLoweredOneByOne) {
  const SandboxLevel all;
  const std::vector<SandboxLevel> weaker = weaker_levels(all);
  ASSERT_EQ(weaker.size(), 11U);
  EXPECT_EQ(weaker[0], (SandboxLevel{true, false, true, true}));
  EXPECT_EQ(weaker[1], (SandboxLevel{true, true, true, false}));
  EXPECT_EQ(weaker[2], (SandboxLevel{true, true, false, true}));
  EXPECT_EQ(weaker[3], (SandboxLevel{false, false, true, true}));
  EXPECT_EQ(weaker.back(), (SandboxLevel{false, false, false, false}));
  EXPECT_EQ(weaker_levels({false, false, false, true}).size(), 1U);
  EXPECT_TRUE(weaker_levels({false, false, false, false}).empty());
}

TEST(SandboxLevel, SharedMemoryIsAPartOfTheFiles) {
  SandboxState state = on_kernel(7);
  state.level.shm = false;
  state.trouble = "Can't open SHM2";
  EXPECT_EQ(level_text(state), "landlock 7 (files less shm, network, signals) + seccomp + limits");
  EXPECT_LE(level_text(state).size(), 64U);  // as wide as the column it is stored in
  EXPECT_EQ(missing_text(state), "shm (/dev/shm is open to candidates: Can't open SHM2)");
}

}  // namespace
}  // namespace noctune
