// What each restriction refuses, and that honest work passes under all of them.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <csignal>
#include <cstring>

#include "places.hpp"
#include "sandbox/sandbox_fixture.hpp"

namespace noctune {
namespace {

using End = ChildOutcome::End;
using testing::HasSubstr;

constexpr int could = 0, was_refused = 3;

const std::vector<std::string> system_folders{
    "/usr", "/lib", "/lib64", "/lib32", "/bin", "/etc/ld.so.cache", "/not/there"};

class Confined : public SandboxTest {
 protected:
  static ChildRequest trespass(const std::string& what, const std::string& on = {}) {
    ChildRequest request = misbehave(what, on);
    request.argv[0] = NOCTUNE_BINARY_DIR "/tests/bin/noctune-trespass";
    return request;
  }
  // Under Landlock's file rules, with a folder of its own to write in.
  ChildRequest in_folder(const std::string& what, const std::string& on) {
    ChildRequest request = trespass(what, on);
    request.confinement.files = true;
    request.confinement.readable = system_folders;
    request.confinement.readable.push_back(request.argv[0]);
    request.confinement.writable = {own_.string()};
    return request;
  }
  static ChildRequest filtered(const std::string& what, CallFilter calls, const std::string& on = {}) {
    ChildRequest request = trespass(what, on);
    request.confinement.calls = calls;
    return request;
  }
  int code(ChildRequest request) {
    const std::string what = request.argv[1];
    const ChildOutcome outcome = run(std::move(request));
    EXPECT_EQ(outcome.end, End::exited) << what << ": " << describe(outcome);
    return outcome.exit_code;
  }
  bool has_landlock(int version) const {
    return helper_.support().landlock_error == 0 && helper_.support().landlock_version >= version;
  }
  bool has_seccomp() const { return helper_.support().seccomp_error == 0; }

  std::filesystem::path make_file(const std::string& name, const std::string& text = "secret") {
    const std::filesystem::path file = folder_.path() / name;
    std::filesystem::create_directories(file.parent_path());
    EXPECT_TRUE(write_file(file, text));
    return file;
  }
  const std::filesystem::path own_ = make_file("own/here").parent_path();
};

TEST_F(Confined, FilesOutsideCannotBeReached) {
  if (!has_landlock(1)) GTEST_SKIP() << "no Landlock here";
  const std::string secret = make_file("other/secret");
  for (const char* what : {"read", "write", "remove"}) {
    EXPECT_EQ(code(in_folder(what, secret)), was_refused) << what;
    EXPECT_EQ(code(in_folder(what, (own_ / "here").string())), could) << what;
    make_file("own/here");
  }
  EXPECT_EQ(code(in_folder("truncate", secret)), has_landlock(3) ? was_refused : could);
  EXPECT_EQ(code(in_folder("list", folder_.path())), was_refused);
  EXPECT_EQ(code(in_folder("read", "/etc/passwd")), was_refused);
  EXPECT_EQ(code(in_folder("write", scratch("other/new"))), was_refused);
  EXPECT_EQ(code(in_folder("make-folder", scratch("other/folder"))), was_refused);
  EXPECT_EQ(code(in_folder("write", "/dev/shm/noctune-test")), was_refused);
  EXPECT_EQ(code(in_folder("write", "/usr/lib/noctune-test")), was_refused);
  EXPECT_EQ(code(trespass("read", secret)), could);  // so it was Landlock
}

TEST_F(Confined, LinksDoNotLeadOut) {
  if (!has_landlock(1)) GTEST_SKIP() << "no Landlock here";
  std::filesystem::create_symlink(make_file("other/secret"), own_ / "link");
  EXPECT_EQ(code(in_folder("read", (own_ / "link").string())), was_refused);
  EXPECT_EQ(code(in_folder("read", "/proc/self/root/etc/passwd")), was_refused);
}

TEST_F(Confined, OwnFolderHoldsNoPrograms) {
  if (!has_landlock(1)) GTEST_SKIP() << "no Landlock here";
  std::filesystem::copy_file("/bin/true", own_ / "program");
  EXPECT_EQ(code(in_folder("execute", (own_ / "program").string())), was_refused);
  EXPECT_EQ(code(in_folder("execute", "/bin/true")), could);
}

TEST_F(Confined, ConsumableFilesCanBeRemovedButNotMade) {
  if (!has_landlock(1)) GTEST_SKIP() << "no Landlock here";
  const std::string command = make_file("run/command");
  const auto in_run_folder = [&](const char* what, const std::string& on) {
    ChildRequest request = in_folder(what, on);
    request.confinement.consumable = {scratch("run")};
    return code(request);
  };
  EXPECT_EQ(in_run_folder("read", command), could);
  EXPECT_EQ(in_run_folder("write", command), was_refused);
  EXPECT_EQ(in_run_folder("write", scratch("run/new")), was_refused);
  EXPECT_EQ(in_run_folder("remove", command), could);
}

TEST_F(Confined, ProcShowsTheChildItselfOnly) {
  if (!has_landlock(1)) GTEST_SKIP() << "no Landlock here";
  EXPECT_EQ(code(in_folder("own-process", "")), was_refused);
  ChildRequest request = in_folder("own-process", "");
  request.confinement.readable.push_back("/proc/self");
  EXPECT_EQ(code(request), could);
  for (const char* what : {"parent-environment", "parent-memory", "parent-status"}) {
    request.argv[1] = what;
    EXPECT_EQ(code(request), was_refused) << what;
  }
}

TEST_F(Confined, LandlockAloneStopsTracing) {
  if (!has_landlock(1)) GTEST_SKIP() << "no Landlock here";
  EXPECT_EQ(code(in_folder("trace", "")), was_refused);
  EXPECT_EQ(code(in_folder("vm-read", "")), was_refused);
}

TEST_F(Confined, LandlockAloneKeepsConnectionsAndSignalsIn) {
  const auto outreach = [&](const char* what, const std::string& on = {}) {
    ChildRequest request = trespass(what, on);
    request.confinement.outreach = true;
    return code(request);
  };
  if (!has_landlock(landlock_network_version)) GTEST_SKIP() << "Landlock is too old";
  EXPECT_EQ(outreach("threads"), could);
  EXPECT_EQ(outreach("fork"), could);
  EXPECT_EQ(outreach("tcp"), was_refused);
  if (!has_landlock(landlock_signal_version)) GTEST_SKIP() << "Landlock is too old";
  for (const char* what : {"kill-parent", "kill-group", "tgkill-parent", "queue-parent"})
    EXPECT_EQ(outreach(what), was_refused) << what;
  EXPECT_EQ(outreach("signal-oneself"), could);
  const std::string name = "noctune-test-" + std::to_string(::getpid());
  const Descriptor listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + 1);
  ASSERT_EQ(::bind(listening.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listening.get(), 1), 0);
  EXPECT_EQ(outreach("abstract", name), was_refused);
  EXPECT_EQ(code(trespass("abstract", name)), could);
}

volatile std::sig_atomic_t signals_received = 0;

// SIGURG: who does not wait for it does not notice it.
TEST_F(Confined, SignalsToAllReachNobody) {
  ::signal(SIGURG, [](int) { signals_received = signals_received + 1; });
  EXPECT_EQ(code(trespass("kill-all")), could);
  EXPECT_EQ(signals_received, 1);
  if (has_seccomp()) {
    EXPECT_EQ(code(filtered("kill-all", CallFilter::candidate)), was_refused);
  }
  if (has_landlock(landlock_signal_version)) {
    ChildRequest request = trespass("kill-all");
    request.confinement.outreach = true;
    EXPECT_EQ(code(request), could);
  }
  EXPECT_EQ(signals_received, 1);
  ::signal(SIGURG, SIG_DFL);
}

TEST_F(Confined, CandidatesAreRefusedCalls) {
  if (!has_seccomp()) GTEST_SKIP() << "no seccomp here";
  for (const char* what : {"trace",
                           "vm-read",
                           "kill-parent",
                           "kill-group",
                           "kill-all",
                           "tgkill-parent",
                           "tkill-parent",
                           "queue-parent",
                           "pidfd-parent",
                           "descriptor-owner",
                           "limit-parent",
                           "priority-of-user",
                           "priority-of-parent",
                           "fork",
                           "plain-fork",
                           "clone3",
                           "system",
                           "session",
                           "group",
                           "namespace",
                           "clone-namespace",
                           "tcp",
                           "udp",
                           "unix",
                           "abstract",
                           "pair",
                           "uring",
                           "mount",
                           "keys",
                           "counters",
                           "bpf",
                           "faults",
                           "shared-memory",
                           "memory-file",
                           "unknown-call"})
    EXPECT_EQ(code(filtered(what, CallFilter::candidate, scratch("x"))), was_refused) << what;
}

TEST_F(Confined, OnAGpuUnixSocketsMayListenAndTheRestIsRefused) {
  if (!has_seccomp()) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(code(filtered("listen", CallFilter::gpu_candidate)), could);
  EXPECT_EQ(code(filtered("listen", CallFilter::candidate)), was_refused);
  for (const char* what : {"threads", "memory", "signal-oneself"})
    EXPECT_EQ(code(filtered(what, CallFilter::gpu_candidate)), could) << what;
  for (const char* what :
       {"trace", "vm-read", "kill-parent", "fork", "plain-fork", "system", "session", "namespace", "tcp",
        "udp", "unix", "pair", "uring", "mount", "bpf", "shared-memory", "memory-file"})
    EXPECT_EQ(code(filtered(what, CallFilter::gpu_candidate, scratch("x"))), was_refused) << what;
}

TEST_F(Confined, CompilersMayStartProcessesButAreRefusedTheRest) {
  if (!has_seccomp()) GTEST_SKIP() << "no seccomp here";
  for (const char* what : {"fork", "plain-fork", "system", "kill-parent", "pair", "memory-file", "threads",
                           "nice-oneself", "own-limit"})
    EXPECT_EQ(code(filtered(what, CallFilter::compiler)), could) << what;
  for (const char* what : {"trace", "vm-read", "limit-parent", "priority-of-user", "session", "group",
                           "namespace", "clone-namespace", "clone3", "tcp", "udp", "unix", "uring", "mount",
                           "keys", "counters", "bpf", "faults", "shared-memory"})
    EXPECT_EQ(code(filtered(what, CallFilter::compiler, scratch("x"))), was_refused) << what;
}

TEST_F(Confined, ProfilersMayStartProcessesAndTalkToThem) {
  if (!has_seccomp()) GTEST_SKIP() << "no seccomp here";
  for (const char* what : {"fork", "plain-fork", "system", "pair", "listen", "unix", "threads", "memory"})
    EXPECT_EQ(code(filtered(what, CallFilter::profiler)), could) << what;
  for (const char* what : {"trace", "vm-read", "session", "namespace", "tcp", "udp", "uring", "mount", "keys",
                           "counters", "bpf", "faults", "shared-memory"})
    EXPECT_EQ(code(filtered(what, CallFilter::profiler, scratch("x"))), was_refused) << what;
}

TEST_F(Confined, CallsOfAnotherProcessorEndTheProcess) {
  if (!has_seccomp()) GTEST_SKIP() << "no seccomp here";
  const ChildOutcome outcome = run(filtered("foreign-call", CallFilter::candidate));
  EXPECT_EQ(outcome.end, End::signalled) << describe(outcome);
}

TEST_F(Confined, WithoutRestrictionsMostOfItIsPossible) {
  for (const char* what : {"kill-parent", "fork", "system", "udp", "pair", "shared-memory", "memory-file",
                           "descriptor-owner", "own-process"})
    EXPECT_EQ(code(trespass(what)), could) << what;
}

TEST_F(Confined, HonestWorkPassesUnderEverything) {
  for (const std::string what :
       {"threads", "memory", "signal-oneself", "nice-oneself", "own-limit", "own-process", "plugin"}) {
    ChildRequest request = in_folder(what, "libz.so.1");
    request.confinement.readable.push_back("/proc/self");
    request.confinement.files = has_landlock(1);
    request.confinement.outreach = has_landlock(landlock_network_version);
    request.confinement.calls = has_seccomp() ? CallFilter::candidate : CallFilter::none;
    EXPECT_EQ(code(request), could) << what;
  }
  const ChildOutcome outcome =
      run(filtered("abort", has_seccomp() ? CallFilter::candidate : CallFilter::none));
  EXPECT_EQ(outcome.end, End::signalled);
  EXPECT_EQ(outcome.signal, SIGABRT);
}

TEST_F(Confined, WhatTheKernelCannotDoIsSaidAndNothingIsStarted) {
  if (has_landlock(1)) GTEST_SKIP() << "Landlock works here";
  const ChildOutcome outcome = run(in_folder("threads", ""));
  EXPECT_EQ(outcome.end, End::not_started);
  EXPECT_THAT(outcome.reason, HasSubstr("Landlock"));
}

TEST_F(Confined, FoldersOverTheirLimitEndTheirWriter) {
  ChildRequest request = shell("head -c 4000000 /dev/zero > large; sleep 20");
  request.working_folder = own_;
  request.folder_bytes = 2000000;
  const ChildOutcome large = run(request);
  EXPECT_EQ(large.end, End::signalled);
  EXPECT_THAT(large.reason, HasSubstr("more than 2 MB"));
  EXPECT_LT(large.seconds, 10);
  request = shell("mkdir d; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do : > d/$i; done");  // seen at its end
  request.working_folder = own_;
  request.folder_files = 10;
  const ChildOutcome many = run(request);
  EXPECT_EQ(many.end, End::signalled);
  EXPECT_THAT(many.reason, HasSubstr("more than 10 files"));
}

}  // namespace
}  // namespace noctune
