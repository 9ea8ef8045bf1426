#include "sandbox/process_tree.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/files.hpp"

namespace noctune {
namespace {

std::string stat_line(pid_t pid, pid_t parent, const std::string& name = "x", char state = 'S') {
  return std::to_string(pid) + " (" + name + ") " + state + " " + std::to_string(parent) +
         " 1 1 0 -1 4194304 100 0 0 0 5 6 0 0 20 0 3 0 987654 1000000 250 18446744073709551615 1 1 0\n";
}

// A /proc of our own making, with or without the kernel's lists of children.
class FakeProc : public testing::TestWithParam<bool> {
 protected:
  FakeProc() {
    if (GetParam()) add(::getpid(), 1);
  }
  void add(pid_t pid, pid_t parent, const std::string& children = "") {
    const auto folder = root_.path() / std::to_string(pid);
    const auto task = folder / "task" / std::to_string(pid);
    std::filesystem::create_directories(task);
    std::ofstream(folder / "stat") << stat_line(pid, parent);
    if (GetParam()) std::ofstream(task / "children") << children;
  }
  std::vector<pid_t> below(pid_t root, const std::vector<pid_t>& except = {}) const {
    std::vector<pid_t> out;
    for (const ProcessFacts& facts : ProcessTree(root_.path()).descendants(root, except))
      out.push_back(facts.pid);
    std::sort(out.begin(), out.end());
    return out;
  }
  ScratchFolder root_ = value_or_throw(ScratchFolder::make("noctune-proc"));
};

INSTANTIATE_TEST_SUITE_P(Kernels, FakeProc, testing::Bool(), [](const auto& run) {
  return run.param ? "WithChildrenFiles" : "WithoutChildrenFiles";
});

TEST_P(FakeProc, FindsGrandchildrenButNoStrangers) {
  add(2000001, 1, "2000002 2000003 ");
  add(2000002, 2000001, "2000004 ");
  add(2000003, 2000001);
  add(2000004, 2000002);
  add(2000005, 1);
  EXPECT_EQ(below(2000001), (std::vector<pid_t>{2000002, 2000003, 2000004}));
  EXPECT_EQ(below(2000004), std::vector<pid_t>{});
  EXPECT_EQ(below(2999999), std::vector<pid_t>{});
}

TEST_P(FakeProc, LeavesOutAnExceptedBranch) {
  add(2000001, 1, "2000002 2000003 ");
  add(2000002, 2000001, "2000004 ");
  add(2000003, 2000001);
  add(2000004, 2000002);
  EXPECT_EQ(below(2000001, {2000002}), std::vector<pid_t>{2000003});
}

TEST_P(FakeProc, ToleratesWhatDiedOrIsNoProcess) {
  add(2000001, 1, "2000002 2000009 ");
  add(2000002, 2000001);
  std::filesystem::create_directories(root_.path() / "irq");
  std::filesystem::create_directories(root_.path() / "2000009");  // no stat: gone meanwhile
  std::ofstream(root_.path() / "uptime") << "1 2";
  EXPECT_EQ(below(2000001), std::vector<pid_t>{2000002});
}

TEST(ProcessStat, ReadsTheFieldsThatMatter) {
  const auto facts = parse_stat(stat_line(42, 7));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->pid, 42);
  EXPECT_EQ(facts->parent, 7);
  EXPECT_EQ(facts->state, 'S');
  EXPECT_EQ(facts->threads, 3);
  EXPECT_EQ(facts->start_ticks, 987654U);
  EXPECT_EQ(facts->resident_bytes, 250 * ::sysconf(_SC_PAGESIZE));
}

TEST(ProcessStat, NamesMayHoldBracketsAndSpaces) {
  const auto facts = parse_stat(stat_line(42, 7, "a) R 1 (b", 'Z'));
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->parent, 7);
  EXPECT_FALSE(facts->alive());
}

TEST(ProcessStat, RefusesWhatIsCutShort) {
  const std::string line = stat_line(42, 7);
  EXPECT_FALSE(parse_stat(""));
  EXPECT_FALSE(parse_stat("42"));
  EXPECT_FALSE(parse_stat("42 (x)"));
  EXPECT_FALSE(parse_stat("42 (x) S"));
  EXPECT_FALSE(parse_stat(line.substr(0, 40)));
  EXPECT_FALSE(parse_stat("x (x) S 1"));
}

TEST(ProcessTree, SeesThisProcessAndItsChild) {
  int hold[2];
  ASSERT_EQ(::pipe(hold), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(hold[1]);
    char byte;
    ::_exit(::read(hold[0], &byte, 1) == 0 ? 0 : 1);
  }
  const ProcessTree tree;
  const auto below = tree.descendants(::getpid());
  ASSERT_EQ(below.size(), 1U);
  EXPECT_EQ(below[0].pid, child);
  EXPECT_GE(tree.user_tasks(::getuid()), 2);
  ProcessFacts stranger = below[0];
  stranger.start_ticks += 1;  // another process with the same number
  tree.signal(stranger, SIGKILL);
  ::close(hold[1]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ::close(hold[0]);
}

TEST(ProcessTree, SignalsTheProcessItMeans) {
  const pid_t child = ::fork();
  if (child == 0)
    for (;;) ::pause();
  const ProcessTree tree;
  const auto facts = tree.read(child);
  ASSERT_TRUE(facts);
  tree.signal(*facts, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

}  // namespace
}  // namespace noctune
