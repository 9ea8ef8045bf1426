#include "base/secrets.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace noctune {
namespace {

TEST(SecretsTest, NamesAndValuesGiveThemAway) {
  for (const char* name : {"OPENAI_API_KEY", "HF_TOKEN", "db_password", "GITHUB_PAT", "MYKEY"})
    EXPECT_TRUE(may_hold_secret(name, "x")) << name;
  EXPECT_TRUE(may_hold_secret("ANYTHING", "sk-abc"));
  for (const char* name : {"PATH", "PWD", "OLDPWD", "MONKEYS", "https_proxy"})
    EXPECT_FALSE(may_hold_secret(name, "x")) << name;
  EXPECT_TRUE(is_proxy("https_proxy"));
  EXPECT_FALSE(is_proxy("HYDRA_PROXY_ID"));
}

// The child is started with the key in its environment, as a job is, and shows what is left.
int scrubbed_child() {
  const std::vector<std::string> gone = scrub_environment();
  std::ifstream file("/proc/self/environ", std::ios::binary);
  const std::string shown{std::istreambuf_iterator<char>(file), {}};
  rlimit core{};
  getrlimit(RLIMIT_CORE, &core);
  if (shown.find("canary") != std::string::npos) return 10;
  if (shown.find("KEPT=value") == std::string::npos) return 11;
  if (shown.find("PMI_SHARED_SECRET=needed") == std::string::npos) return 12;
  if (getenv("OPENAI_API_KEY") != nullptr || getenv("SSLKEYLOGFILE") != nullptr) return 13;
  if (core.rlim_cur != 0) return 14;
  return gone.size() >= 2 ? 0 : 15;
}

TEST(SecretsTest, TheKernelShowsThemNoMore) {
  if (getenv("NOCTUNE_SCRUB_CHILD") != nullptr) ::_exit(scrubbed_child());
  std::array<char, 4096> self{};
  ASSERT_GT(::readlink("/proc/self/exe", self.data(), self.size() - 1), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const char* const arguments[] = {self.data(), "--gtest_filter=SecretsTest.TheKernelShowsThemNoMore",
                                     nullptr};
    const char* const variables[] = {
        "OPENAI_API_KEY=canary-one", "SOME_TOKEN=canary-two", "KEPT=value", "PMI_SHARED_SECRET=needed",
        "SSLKEYLOGFILE=/x",          "NOCTUNE_SCRUB_CHILD=1", nullptr};
    ::execve(self.data(), const_cast<char* const*>(arguments), const_cast<char* const*>(variables));
    ::_exit(20);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace noctune
