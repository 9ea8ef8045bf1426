#include "base/process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <thread>

#include "base/clock.hpp"
#include "sandbox/sandbox_fixture.hpp"

namespace noctune {
namespace {

using End = ChildOutcome::End;
using testing::HasSubstr;

using Process = SandboxTest;

TEST_F(Process, ReportsExitCodes) {
  EXPECT_TRUE(run(misbehave("exit", "0")).clean());
  for (int code : {1, 3, 126, 127, 255}) {
    const ChildOutcome outcome = run(misbehave("exit", std::to_string(code)));
    EXPECT_EQ(outcome.end, End::exited);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_FALSE(outcome.clean());
    EXPECT_FALSE(outcome.left_processes);
  }
}

TEST_F(Process, ReportsSignals) {
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGKILL}) {
    const ChildOutcome outcome = run(misbehave("signal", std::to_string(signal)));
    EXPECT_EQ(outcome.end, End::signalled);
    EXPECT_EQ(outcome.signal, signal);
    EXPECT_EQ(outcome.reason, "");
  }
}

TEST_F(Process, SaysThatATermWasNotOurs) {
  EXPECT_THAT(run(misbehave("signal", std::to_string(SIGTERM))).reason,
              HasSubstr("did not come from Noctune"));
}

TEST_F(Process, SurvivesTheWarningSignalsOfBatchSystems) {
  EXPECT_TRUE(run(misbehave("signal", std::to_string(SIGUSR1))).clean());
  EXPECT_TRUE(run(misbehave("signal", std::to_string(SIGUSR2))).clean());
}

TEST_F(Process, CollectsBothOutputStreamsInOrder) {
  const ChildOutcome outcome = run(shell("echo one; echo two >&2; echo three"));
  EXPECT_EQ(outcome.output, "one\ntwo\nthree\n");
}

TEST_F(Process, MeasuresTimeAndMemory) {
  const ChildOutcome outcome = run(shell("sleep 0.1; i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"));
  EXPECT_TRUE(outcome.clean());
  EXPECT_GE(outcome.seconds, 0.1);
  EXPECT_GT(outcome.cpu_seconds, 0.001);
  EXPECT_GT(outcome.peak_bytes, 100 * 1024);
}

TEST_F(Process, LooksProgramsUpInTheChildsOwnPath) {
  ChildRequest request = shell("exit 0");
  request.environment = {"PATH=/nowhere:/usr/bin:/bin"};
  EXPECT_TRUE(run(request).clean());
  request.environment = {"PATH=/nowhere"};
  const ChildOutcome outcome = run(request);
  EXPECT_EQ(outcome.end, End::not_started);
  EXPECT_THAT(describe(outcome), HasSubstr("could not be started: sh: No such file"));
}

TEST_F(Process, SaysWhyAProgramCannotBeExecuted) {
  ChildRequest request = shell("");
  request.argv = {folder_.path()};
  EXPECT_THAT(run(request).reason, HasSubstr("ermission denied"));
  request.argv = {"sh"};
  request.working_folder = "/not/there";
  EXPECT_THAT(run(request).reason, HasSubstr("cannot enter the folder /not/there"));
}

TEST_F(Process, RefusesRequestsThatMakeNoSense) {
  const auto refused = [&](auto&& change) {
    ChildRequest request = shell("exit 0");
    change(request);
    const ChildOutcome outcome = run(request);
    EXPECT_EQ(outcome.end, End::not_started);
    return outcome.reason;
  };
  EXPECT_THAT(refused([](ChildRequest& r) { r.argv.clear(); }), HasSubstr("no program"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.argv = {""}; }), HasSubstr("no program"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.deadline_s = 0; }), HasSubstr("deadline"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.deadline_s = std::numeric_limits<double>::quiet_NaN(); }),
              HasSubstr("deadline"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.processes = -1; }), HasSubstr("negative"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.cpus = {-1}; }), HasSubstr("processor -1"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.cpus = {60000}; }),
              HasSubstr("cannot run on the processors 60000"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.descriptors = {{1, 2}}; }), HasSubstr("number 2"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.descriptors = {{1, 5}, {2, 5}}; }), HasSubstr("taken twice"));
  EXPECT_THAT(refused([](ChildRequest& r) { r.descriptors = {{987, 5}}; }), HasSubstr("descriptor 987"));
}

TEST_F(Process, GivesTheChildExactlyItsEnvironment) {
  ChildRequest request = misbehave("environment");
  request.environment = {"B=2", "A=one two", "EMPTY="};
  EXPECT_EQ(run(request).output, "B=2\nA=one two\nEMPTY=\n");
}

TEST_F(Process, CarriesRequestsAndOutputsOfAnySize) {
  ChildRequest request = misbehave("environment");
  for (int i = 0; i < 400; ++i)
    request.environment.push_back("V" + std::to_string(i) + "=" + std::string(1000, 'v'));
  const ChildOutcome outcome = run(request);
  EXPECT_TRUE(outcome.clean()) << describe(outcome);
  EXPECT_GT(outcome.output.size(), 400000U);
}

TEST_F(Process, GivesTheChildItsOwnStateOnly) {
  ChildRequest request = misbehave("state");
  request.working_folder = folder_.path();
  request.cpus = {0};
  request.nice = 3;
  request.file_bytes = 12345;
  const ChildOutcome outcome = run(request);
  EXPECT_THAT(outcome.output,
              HasSubstr("core=0 files=1024 size=12345 blocked=0 ignored=2 cpus=1 first_cpu=0 nice=3 "
                        "group=1 privs=1"));
  EXPECT_THAT(outcome.output, HasSubstr("folder=" + std::filesystem::canonical(folder_.path()).string()));
}

TEST_F(Process, StandardInputIsEmpty) {
  EXPECT_TRUE(run(misbehave("read-input")).clean());
}

TEST_F(Process, PassesOnlyTheDescriptorsAskedFor) {
  const Descriptor leaked(::open("/dev/null", O_RDONLY));  // without close-on-exec, as libraries do
  EXPECT_EQ(run(misbehave("descriptors")).output, "0 1 2 ");
  ChildRequest request = misbehave("descriptors");
  request.descriptors = {{leaked.get(), 3}, {leaked.get(), 200}};
  EXPECT_EQ(run(request).output, "0 1 2 3 200 ");
}

TEST_F(Process, PassedPipesEndWithTheChild) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  ChildRequest request = misbehave("write-to-seven");
  request.descriptors = {{writer.get(), 7}};
  const auto outcomes = run_all({request}, [&] { writer.reset(); });  // as soon as it has suspended
  EXPECT_TRUE(outcomes[0].clean());
  char text[16] = {};
  EXPECT_EQ(::read(reader.get(), text, sizeof text), 5);
  EXPECT_STREQ(text, "seven");
  EXPECT_EQ(::read(reader.get(), text, sizeof text), 0);  // nobody else holds it
}

TEST_F(Process, DeadlineEndsAChildThatHearsTerm) {
  ChildRequest request = misbehave("sleep");
  request.deadline_s = 0.1;
  request.grace_s = 20;
  const ChildOutcome outcome = run(request);
  EXPECT_EQ(outcome.end, End::deadline);
  EXPECT_EQ(outcome.signal, SIGTERM);
  EXPECT_LT(outcome.seconds, 10);
}

TEST_F(Process, RunsManyAtOnce) {
  std::vector<ChildRequest> requests;
  for (int i = 0; i < 40; ++i) requests.push_back(shell("sleep 0.2; exit " + std::to_string(i)));
  const double began = steady_seconds();
  const auto outcomes = run_all(requests);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(outcomes[static_cast<std::size_t>(i)].exit_code, i);
  EXPECT_LT(steady_seconds() - began, 7);  // one after the other: 8
  EXPECT_EQ(helper_.running(), 0U);
}

TEST_F(Process, QueuesWhatTheSocketCannotTakeAtOnce) {
  std::vector<ChildRequest> requests(600, shell(""));
  for (ChildRequest& request : requests) request.argv.clear();  // refused at once, so nothing is started
  for (const ChildOutcome& outcome : run_all(requests)) EXPECT_EQ(outcome.end, End::not_started);
}

TEST_F(Process, CancelAllEndsEveryChild) {
  const auto outcomes =
      run_all({misbehave("sleep"), misbehave("ignore-term")}, [&] { helper_.cancel_all(); });
  for (const ChildOutcome& outcome : outcomes) EXPECT_EQ(outcome.end, End::cancelled) << describe(outcome);
  EXPECT_TRUE(run(misbehave("exit", "0")).clean());
}

TEST_F(Process, CancellingTheAwaitableKillsFirst) {
  ChildOutcome outcome;
  ChildRequest request = shell("echo $$ > " + scratch("pid") + "; exec sleep 60");
  asio::cancellation_signal cancel;
  bool done = false;
  asio::co_spawn(
      io_, run_into(helper_, request, outcome),
      asio::bind_cancellation_slot(cancel.slot(), [&](const std::exception_ptr&) { done = true; }));
  io_.poll();
  while (pid_in(scratch("pid")) == 0) std::this_thread::yield();
  cancel.emit(asio::cancellation_type::terminal);
  io_.restart();
  io_.run();
  EXPECT_TRUE(done);
  EXPECT_EQ(outcome.end, End::cancelled);
  EXPECT_FALSE(alive(pid_in(scratch("pid"))));
}

TEST_F(Process, WithoutAnEventLoopNothingRuns) {
  ProcessHelper other = value_or_throw(ProcessHelper::start(built_helper()));
  ChildOutcome outcome;
  asio::co_spawn(io_, run_into(other, shell(""), outcome), asio::detached);
  io_.run();
  EXPECT_EQ(outcome.end, End::helper_lost);
  EXPECT_THAT(outcome.reason, HasSubstr("not attached"));
}

TEST_F(Process, DestructionKillsWhatRuns) {
  std::optional<ProcessHelper> other = value_or_throw(ProcessHelper::start(built_helper()));
  other->attach(io_);
  ChildOutcome outcome;
  ChildRequest request = shell("echo $$ > " + scratch("pid") + "; exec sleep 60");
  asio::co_spawn(io_, run_into(*other, request, outcome), asio::detached);
  io_.poll();
  while (pid_in(scratch("pid")) == 0) std::this_thread::yield();
  other.reset();
  EXPECT_FALSE(alive(pid_in(scratch("pid"))));
  io_.restart();
  io_.run();
  EXPECT_EQ(outcome.end, End::helper_lost);
  EXPECT_THAT(outcome.reason, HasSubstr("shut down"));
}

TEST_F(Process, MayOutliveItsEventLoop) {
  ProcessHelper other = value_or_throw(ProcessHelper::start(built_helper()));
  ChildOutcome outcome;
  {
    asio::io_context io;
    other.attach(io);
    asio::co_spawn(io, run_into(other, misbehave("sleep"), outcome), asio::detached);
    io.poll();
    EXPECT_EQ(other.running(), 1U);
  }
  EXPECT_EQ(other.running(), 0U);
}

// As when a rank is killed: only its end of the socket tells.
TEST_F(Process, ChildrenDieWithTheirRank) {
  const std::string file = scratch("pid");
  const pid_t rank = ::fork();
  if (rank == 0) {
    ProcessHelper own = value_or_throw(ProcessHelper::start(built_helper()));
    asio::io_context io;
    own.attach(io);
    ChildOutcome outcome;
    ChildRequest request =
        shell("echo $$ > " + file + ".new; mv " + file + ".new " + file + "; exec sleep 60");
    asio::co_spawn(io, run_into(own, request, outcome), asio::detached);
    io.run();
    ::_exit(0);
  }
  while (pid_in(file) == 0) std::this_thread::yield();
  ::kill(rank, SIGKILL);
  int status = 0;
  ::waitpid(rank, &status, 0);
  const double until = steady_seconds() + 5;
  while (alive(pid_in(file)) && steady_seconds() < until) std::this_thread::yield();
  EXPECT_FALSE(alive(pid_in(file)));
}

TEST(ProcessStart, SaysWhatIsWrongWithTheHelper) {
  const auto missing = ProcessHelper::start("/not/there/noctune-sandbox");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text(), HasSubstr("/not/there/noctune-sandbox"));
  EXPECT_THAT(missing.error().text(), HasSubstr("NOCTUNE_SANDBOX"));
  const auto another = ProcessHelper::start("/bin/true");
  ASSERT_FALSE(another);
  EXPECT_THAT(another.error().text(), HasSubstr("same build"));
}

}  // namespace
}  // namespace noctune
