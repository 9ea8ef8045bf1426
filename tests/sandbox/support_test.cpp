// What the helper finds out about its kernel, also where calls are made to fail as on older ones.
#include <gtest/gtest.h>

#include "places.hpp"
#include "sandbox/sandbox_fixture.hpp"

namespace noctune {
namespace {

SandboxSupport support_under(const std::string& helper) {
  return value_or_throw(ProcessHelper::start(NOCTUNE_BINARY_DIR + helper)).support();
}

TEST(Support, NewerCallsMayBeMissing) {
  const SandboxSupport found = support_under("/tests/bin/noctune-without-newer-calls");
  EXPECT_EQ(found.landlock_version, 0);
  EXPECT_EQ(found.landlock_error, ENOSYS);
  EXPECT_EQ(found.pidfd_error, ENOSYS);
  EXPECT_EQ(found.seccomp_error, 0);
  EXPECT_EQ(found.privileges_error, 0);
}

TEST(Support, SeccompMayBeMissing) {
  const SandboxSupport found = support_under("/tests/bin/noctune-without-seccomp");
  EXPECT_EQ(found.seccomp_error, EINVAL);
  EXPECT_EQ(found.landlock_error, support_under("/bin/noctune-sandbox").landlock_error);
}

TEST(Support, PrivilegesMayStay) {
  const SandboxSupport found = support_under("/tests/bin/noctune-without-privileges");
  EXPECT_EQ(found.privileges_error, EPERM);
  EXPECT_EQ(found.seccomp_error, 0);
}

TEST(Support, TryingLeavesTheHelperAsItWas) {
  ProcessHelper helper = value_or_throw(ProcessHelper::start(built_helper()));
  asio::io_context io;
  helper.attach(io);
  ChildOutcome outcome;
  asio::co_spawn(io, run_into(helper, shell("cat /etc/passwd; true & wait"), outcome), asio::detached);
  io.run();
  EXPECT_TRUE(outcome.clean()) << describe(outcome);
  EXPECT_NE(outcome.output.find("root"), std::string::npos);
}

}  // namespace
}  // namespace noctune
