// The user's own check, in a process that holds no version of the kernel.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "mep/driver_fixture.hpp"
#include "mep/driver_sources.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

// y = a x + y with a count of the values above 0; scratch and what nobody reads are there to be left out.
const char* const spec_text = R"({
  "entry": "axpy",
  "sizes": {"n": 100},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "a", "type": "double", "value": 2.5},
    {"name": "x", "type": "const double*", "count": "n", "role": "in"},
    {"name": "y", "type": "double*", "count": "n", "role": "inout", "compare": "invariants"},
    {"name": "t", "type": "double*", "count": "n", "role": "out", "live_out": false},
    {"name": "count", "type": "int*", "count": 1, "role": "out"}
  ],
  "scratch": true,
  "cases": [{"name": "c"}],
  "check": {"invariants": "check.cpp"}
})";

const char* const kernel = R"(
extern "C" std::size_t axpy_scratch_bytes(int, double) { return 64; }
extern "C" void axpy(int n, double a, const double* x, double* y, double*, int* count, void*) {
  *count = 0;
  for (int i = 0; i < n; ++i) *count += (y[i] += a * x[i]) > 0;
})";

const char* const check_text = R"(
#include <cstdio>
extern "C" int axpy_check(int n, double a, const double* x, double* y, double*, int* count,
                          const void* const* before, char* why, std::size_t room) {
  const double* old = static_cast<const double*>(before[3]);
  if (before[0] || before[1]) return std::snprintf(why, room, "by-value parameters have no buffer");
  int positive = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] != static_cast<const double*>(before[2])[i]) return std::snprintf(why, room, "x is another");
    if (y[i] != old[i] + a * x[i]) return std::snprintf(why, room, "y[%d] is not a x + y\n\x01", i);
    positive += y[i] > 0;
  }
  return positive == *count ? 0 : 1;
})";

class DriverJudge : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { bench_ = new Bench(spec_from(spec_text)); }
  static void TearDownTestSuite() { delete bench_; }
  void SetUp() override { ASSERT_TRUE(bench_->built()) << bench_->compiler_output(); }

  static std::string check(const std::string& text) {
    return bench_->plugin(check_source(bench_->spec(), text));
  }

  static std::vector<CheckRun> runs() {
    CheckRun one;
    one.resolved = bench_->resolved("c", 3);
    one.seed = 7;
    CheckRun other = one;
    other.seed = 8;
    other.poison = finite_poison;
    other.variant = InputVariant::sign_mixed;
    other.offset_bytes = at_page_end;
    return {one, other};
  }

  // What the kernel leaves in these runs.
  static std::string outputs() {
    const auto made = bench_->run(bench_->plugin(kernel), runs());
    std::string all;
    for (const CheckRunReport& run : made.report->runs)
      for (const OutputBlob& blob : run.outputs) all += blob.bytes;
    return all;
  }

  static Bench::Outcome judge(const std::string& plugin, const std::string& bytes) {
    const std::string path = (bench_->folder() / "outputs").string();
    value_or_throw(write_file(path, bytes));
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    ::unlink(path.c_str());
    JudgeRun work;
    work.runs = runs();
    work.outputs_fd = file.get();
    const DriverCommand wanted = bench_->command(plugin, work);
    Child child = bench_->start(wanted, {file.get()});
    Bench::Outcome outcome{child.wait(), child.bytes(), fail("not parsed")};
    outcome.report = parse_report(outcome.bytes, wanted.nonce);
    return outcome;
  }

  static Bench* bench_;
};

Bench* DriverJudge::bench_ = nullptr;

TEST_F(DriverJudge, InvariantsHold) {
  const auto outcome = judge(check(check_text), outputs());
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  ASSERT_TRUE(outcome.report->ended) << outcome.report->error;
  ASSERT_EQ(outcome.report->judged.size(), 2U);
  for (const JudgedRun& run : outcome.report->judged) EXPECT_TRUE(run.holds) << run.why;
  EXPECT_TRUE(outcome.report->runs.empty());
}

TEST_F(DriverJudge, SaysWhatIsBrokenInWhichRun) {
  std::string bytes = outputs();
  bytes[808] ^= 1;  // behind 100 doubles and a count, the second run begins at 804
  const auto outcome = judge(check(check_text), bytes);
  ASSERT_TRUE(outcome.report && outcome.report->ended);
  EXPECT_TRUE(outcome.report->judged[0].holds);
  EXPECT_FALSE(outcome.report->judged[1].holds);
  EXPECT_THAT(outcome.report->judged[1].why, HasSubstr("y[0] is not a x + y"));
  bytes = outputs();
  bytes[800] ^= 1;
  const auto silent = judge(check(check_text), bytes);
  ASSERT_TRUE(silent.report && silent.report->ended);
  EXPECT_FALSE(silent.report->judged[0].holds);
  EXPECT_EQ(silent.report->judged[0].why, "");
}

TEST_F(DriverJudge, OnlyTheRightNumberOfBytesIsJudged) {
  const std::string good = check(check_text);
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{1607}, std::size_t{1616}}) {
    const auto outcome = judge(good, std::string(wrong, '\0'));
    EXPECT_EQ(outcome.exit_code, 2);
    ASSERT_TRUE(outcome.report);
    EXPECT_EQ(outcome.report->fault, DriverFault::driver);
    EXPECT_THAT(outcome.report->error, HasSubstr("the runs make 1608"));
  }
}

std::string one_line(const std::string& statement) {
  return "extern \"C\" int axpy_check(int n, double, const double*, double* y, double*, int*, const void* "
         "const* "
         "before, char* why, std::size_t room) {\n  " +
         statement + "\n}\n";
}

TEST_F(DriverJudge, ACheckThatCrashesLeavesNoJudgement) {
  const std::string bytes = outputs();
  const auto crashed = judge(
      check(one_line("(void)n, (void)y, (void)before, (void)why; return *(volatile int*)room;")), bytes);
  EXPECT_EQ(crashed.exit_code, 128 + SIGSEGV);
  EXPECT_FALSE(crashed.report);
  const auto strayed =
      judge(check(one_line("(void)why, (void)room, (void)before; return y[n + 4096] > 0;")), bytes);
  ASSERT_TRUE(strayed.report);
  EXPECT_THAT(strayed.report->error, HasSubstr("it touched memory outside of y"));
  const auto wrote =
      judge(check(one_line("(void)why, (void)room, (void)before; y[n] = 0; return 0;")), bytes);
  ASSERT_TRUE(wrote.report);
  EXPECT_THAT(wrote.report->error, HasSubstr("it wrote outside a buffer: y: 8 bytes changed behind its end"));
  EXPECT_TRUE(wrote.report->judged.empty());
}

TEST_F(DriverJudge, AnEndlessReasonIsCutOff) {
  const auto outcome = judge(
      check(one_line(
          "(void)n, (void)y, (void)before; for (std::size_t i = 0; i < room; ++i) why[i] = 'x'; return 1;")),
      outputs());
  ASSERT_TRUE(outcome.report && outcome.report->ended);
  EXPECT_EQ(outcome.report->judged[0].why, std::string(511, 'x'));
}

TEST_F(DriverJudge, WhatIsNoCheckIsRefused) {
  const auto outcome = judge(bench_->plugin(kernel), outputs());
  ASSERT_TRUE(outcome.report);
  EXPECT_THAT(outcome.report->error, HasSubstr("does not define extern \"C\" axpy_check"));
}

TEST_F(DriverJudge, ADriverWithoutAnyCheckNeverSaysThatItHolds) {
  Bench plain(
      spec_from(R"({"entry": "f", "params": [{"name": "x", "type": "int*", "count": 2, "role": "out"}],
                            "cases": [{"name": "c"}]})"));
  ASSERT_TRUE(plain.built()) << plain.compiler_output();
  const std::string path = (plain.folder() / "outputs").string();
  value_or_throw(write_file(path, std::string(8, '\0')));
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  JudgeRun work;
  work.runs.resize(1);
  work.runs[0].resolved = plain.resolved("c", 1);
  work.outputs_fd = file.get();
  const DriverCommand wanted =
      plain.command(plain.plugin("extern \"C\" int f_check(int*) { return 0; }"), work);
  Child child = plain.start(wanted, {file.get()});
  child.wait();
  const std::string bytes = child.bytes();
  const auto report = parse_report(bytes, wanted.nonce);
  ASSERT_TRUE(report && report->judged.size() == 1);
  EXPECT_FALSE(report->judged[0].holds);
}

// What the compiler says of a check; empty = it compiles.
std::string check_errors(const MepSpec& spec, const std::string& text) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-check-test"));
  value_or_throw(write_file(folder.path() / "context.hpp", context_header(spec)));
  value_or_throw(write_file(folder.path() / "c.cpp", check_source(spec, text)));
  std::string output;
  shell("cd " + folder.path().string() + " && g++ -std=c++17 -fsyntax-only -include context.hpp c.cpp",
        output);
  return output;
}

TEST_F(DriverJudge, OtherParametersDoNotCompileAndTheCompilerNamesTheFile) {
  EXPECT_EQ(check_errors(bench_->spec(), check_text), "");
  const std::string other =
      check_errors(bench_->spec(),
                   "extern \"C\" int axpy_check(int, float, const double*, double*, double*, int*, "
                   "const void* const*, char*, std::size_t) { return 0; }");
  EXPECT_THAT(other, HasSubstr("check.cpp:1:"));
  EXPECT_THAT(other, HasSubstr("conflicting declaration"));
}

}  // namespace
}  // namespace noctune::testing
