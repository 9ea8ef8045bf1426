#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "mep/compare.hpp"
#include "mep/driver_fixture.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

const char* const axpy_spec = R"({
  "entry": "axpy",
  "sizes": {"n": {"default": 1000, "scale": true}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "a", "type": "double", "value": 2.5},
    {"name": "x", "type": "const double*", "count": "n", "role": "in"},
    {"name": "y", "type": "double*", "count": "n", "role": "inout"},
    {"name": "z", "type": "float*", "count": "n", "role": "out", "unwritten": "keep"},
    {"name": "t", "type": "double*", "count": "n", "role": "scratch"}
  ],
  "cases": [{"name": "c"}]
})";

const char* const axpy = R"(
extern "C" void axpy(int n, double a, const double* x, double* y, float* z, double* t) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    t[i] = a * x[i];
    y[i] += t[i];
    if (i % 2 == 0) z[i] = (float)y[i];
  }
})";

class DriverCheck : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { bench_ = new Bench(spec_from(axpy_spec)); }
  static void TearDownTestSuite() { delete bench_; }
  void SetUp() override { ASSERT_TRUE(bench_->built()) << bench_->compiler_output(); }

  static const std::string& honest() {
    static const std::string path = bench_->plugin(axpy);
    return path;
  }
  static CheckRun check(std::uint64_t seed = 7) {
    CheckRun run;
    run.resolved = bench_->resolved("c", 3);
    run.seed = seed;
    return run;
  }
  // The output parameter's elements of a run that must succeed.
  template <class T>
  static std::vector<T> output(const std::string& plugin, const CheckRun& run, std::size_t which) {
    const auto outcome = bench_->run(plugin, std::vector<CheckRun>{run});
    if (!outcome.report || outcome.report->runs.size() != 1) {
      ADD_FAILURE() << (outcome.report ? outcome.report->error : outcome.report.error().text());
      return {};
    }
    return elements<T>(outcome.report->runs[0].outputs.at(which));
  }
  static std::string body(const std::string& statements) {
    return "extern \"C\" void axpy(int n, double a, const double* x, double* y, float* z, double* t) {\n"
           "(void)n, (void)a, (void)x, (void)y, (void)z, (void)t;\n" +
           statements + "}\n";
  }

  static Bench* bench_;
};
Bench* DriverCheck::bench_ = nullptr;

TEST_F(DriverCheck, RunsSeveralChecksInOneProcess) {
  const std::string plugin = honest();
  std::vector<CheckRun> runs = {check(), check(), check(8)};
  runs[1].poison = finite_poison;
  runs[1].offset_bytes = 16;
  const auto outcome = bench_->run(plugin, runs);
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.report->ended);
  EXPECT_EQ(outcome.report->entry, "axpy");
  EXPECT_EQ(outcome.report->threads, 2);
  EXPECT_FALSE(outcome.report->arithmetic_changed);
  EXPECT_EQ(outcome.report->leftover_threads, 0);
  ASSERT_EQ(outcome.report->runs.size(), 3u);
  for (const CheckRunReport& run : outcome.report->runs) {
    EXPECT_TRUE(run.guards_ok) << run.guard_message;
    EXPECT_TRUE(run.inputs_ok) << run.input_message;
    ASSERT_EQ(run.outputs.size(), 2u);
    EXPECT_EQ(run.outputs[0].param, 3);
    EXPECT_EQ(run.outputs[0].element, ElementType::f64);
    EXPECT_EQ(run.outputs[1].param, 4);
    EXPECT_EQ(run.outputs[1].element, ElementType::f32);
  }
  const auto& all = outcome.report->runs;
  EXPECT_EQ(all[0].outputs[0].bytes, all[1].outputs[0].bytes)
      << "neither poison nor offset may change a result";
  EXPECT_NE(all[0].outputs[0].bytes, all[2].outputs[0].bytes) << "another seed gives other values";
}

TEST_F(DriverCheck, ComputesWhatTheEntryComputes) {
  const std::string inputs = bench_->plugin(body("for (int i = 0; i < n; ++i) { y[i] = x[i]; }"));
  const std::string before = bench_->plugin(body("(void)0;"));
  const auto x = output<double>(inputs, check(), 0), y = output<double>(before, check(), 0);
  const auto got = output<double>(honest(), check(), 0);
  ASSERT_EQ(got.size(), 1000u);
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_GE(x[i], -1);
    EXPECT_LT(x[i], 1);
    EXPECT_DOUBLE_EQ(got[i], y[i] + 2.5 * x[i]);
  }
  EXPECT_EQ(std::set<double>(x.begin(), x.end()).size(), x.size()) << "inputs do not repeat";
}

TEST_F(DriverCheck, UntouchedElementsStayPoisoned) {
  const auto outcome = bench_->run(honest(), std::vector<CheckRun>{check()});
  ASSERT_TRUE(outcome.report);
  const OutputBlob& z = outcome.report->runs[0].outputs[1];
  const OutputDifference same = compare(z.element, z.bytes, z.bytes, {1e-6, nan_poison});
  EXPECT_TRUE(same.passed);
  EXPECT_EQ(same.untouched, 500);
  EXPECT_EQ(same.non_finite, 0);

  const std::string all =
      bench_->plugin(body("for (int i = 0; i < n; ++i) { y[i] += a * x[i]; z[i] = (float)y[i]; }"));
  const auto writes_all = bench_->run(all, std::vector<CheckRun>{check()});
  ASSERT_TRUE(writes_all.report);
  const OutputDifference found =
      compare(z.element, z.bytes, writes_all.report->runs[0].outputs[1].bytes, {1e-6, nan_poison});
  EXPECT_FALSE(found.passed);
  EXPECT_TRUE(found.clobbered);
  EXPECT_EQ(found.violations, 500);
  EXPECT_EQ(found.first, 1);
}

TEST_F(DriverCheck, SeesOneElementPastTheEnd) {
  const auto outcome = bench_->run(bench_->plugin(body("y[n] = 1;")), std::vector<CheckRun>{check()});
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_FALSE(outcome.report->runs[0].guards_ok);
  EXPECT_THAT(outcome.report->runs[0].guard_message,
              HasSubstr("y: 8 bytes changed behind its end, the nearest 0 bytes"));
}

TEST_F(DriverCheck, SeesWritesInFrontAndInScratch) {
  const auto outcome =
      bench_->run(bench_->plugin(body("z[-3] = 1; ((char*)t)[8 * n] ^= 1;")), std::vector<CheckRun>{check()});
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_THAT(outcome.report->runs[0].guard_message,
              HasSubstr("z: 4 bytes changed in front of its start, the nearest 8"));
  EXPECT_THAT(outcome.report->runs[0].guard_message, HasSubstr("t: 1 byte changed behind its end"));
}

TEST_F(DriverCheck, GuardsOfTheOneRunDoNotBlameTheNext) {
  const std::string plugin = bench_->plugin(body("static int calls = 0; if (calls++ == 0) y[n] = 1;"));
  const auto outcome = bench_->run(plugin, std::vector<CheckRun>{check(), check()});
  ASSERT_TRUE(outcome.report);
  EXPECT_FALSE(outcome.report->runs[0].guards_ok);
  EXPECT_TRUE(outcome.report->runs[1].guards_ok);
}

TEST_F(DriverCheck, FarStraysAreNamed) {
  const auto outcome = bench_->run(bench_->plugin(body("y[n + 3000] = 1;")), std::vector<CheckRun>{check()});
  EXPECT_EQ(outcome.exit_code, 2);
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_EQ(outcome.report->fault, DriverFault::plugin);
  EXPECT_THAT(outcome.report->error, HasSubstr("outside of y, 24000 bytes behind its end"));
}

TEST_F(DriverCheck, OtherFaultsEndTheProcess) {
  const auto outcome =
      bench_->run(bench_->plugin(body("*(volatile int*)64 = 1;")), std::vector<CheckRun>{check()});
  EXPECT_EQ(outcome.exit_code, 128 + 11);
  ASSERT_FALSE(outcome.report);
  EXPECT_THAT(outcome.report.error().text(), HasSubstr("in run 1"));
}

TEST_F(DriverCheck, AReadPastTheEndOfMemoryIsNamed) {
  CheckRun tight = check();
  tight.offset_bytes = at_page_end;
  const std::string plugin = bench_->plugin(body("volatile double far = x[n]; (void)far;"));
  const auto loose = bench_->run(plugin, std::vector<CheckRun>{check()});
  ASSERT_TRUE(loose.report);
  EXPECT_TRUE(loose.report->ended);
  const auto outcome = bench_->run(plugin, std::vector<CheckRun>{tight});
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_THAT(outcome.report->error, HasSubstr("outside of x, 0 bytes behind its end"));
}

TEST_F(DriverCheck, OffersThePluginTheThreadsItIsTold) {
  CheckRun three = check();
  three.threads = 3;
  const std::string plugin =
      bench_->plugin("#include <omp.h>\n" + body("z[0] = (float)omp_get_max_threads();"));
  const auto outcome = bench_->run(plugin, std::vector<CheckRun>{three});
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_EQ(elements<float>(outcome.report->runs[0].outputs.at(1))[0], 3.0f);
  EXPECT_EQ(outcome.report->leftover_threads, 0);
}

TEST_F(DriverCheck, NoticesAnotherFloatingPointModeLeftBehind) {
  const std::string plugin = bench_->plugin(
      "#include <cfenv>\n" + body("static int calls = 0; if (calls++ == 0) fesetround(FE_UPWARD);"));
  const auto outcome = bench_->run(plugin, std::vector<CheckRun>{check(), check()});
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_TRUE(outcome.report->arithmetic_left_changed);
}

TEST_F(DriverCheck, MutationsRoundAndShorten) {
  CheckRun rounded = check(), shortened = check();
  rounded.mutation = Mutation::rounded;
  shortened.mutation = Mutation::shortened;
  shortened.only_param = 0;
  const auto outcome = bench_->run(honest(), std::vector<CheckRun>{check(), rounded, shortened});
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  const auto bytes = [&](std::size_t run) { return outcome.report->runs[run].outputs[0].bytes; };
  EXPECT_NE(bytes(0), bytes(1));
  EXPECT_NE(bytes(0), bytes(2));
}

TEST_F(DriverCheck, SeesAChangedInput) {
  const auto outcome = bench_->run(bench_->plugin(body("const_cast<double*>(x)[n / 2] += 1e-9;")),
                                   std::vector<CheckRun>{check()});
  ASSERT_TRUE(outcome.report);
  EXPECT_TRUE(outcome.report->runs[0].guards_ok);
  EXPECT_FALSE(outcome.report->runs[0].inputs_ok);
  EXPECT_THAT(outcome.report->runs[0].input_message, HasSubstr("x changed although the role is in"));
}

TEST_F(DriverCheck, NudgesEveryFloatByOneUlp) {
  const std::string plugin = bench_->plugin(body("for (int i = 0; i < n; ++i) y[i] = x[i];"));
  CheckRun nudged = check();
  nudged.variant = InputVariant::nudged;
  const auto before = output<double>(plugin, check(), 0), after = output<double>(plugin, nudged, 0);
  int up = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_TRUE(after[i] == std::nextafter(before[i], 2.0) || after[i] == std::nextafter(before[i], -2.0))
        << i;
    up += after[i] > before[i];
  }
  EXPECT_GT(up, 400);
  EXPECT_LT(up, 600);
}

TEST_F(DriverCheck, VariantsChangeWhatTheySay) {
  const std::string plugin = bench_->plugin(body("for (int i = 0; i < n; ++i) y[i] = x[i];"));
  const auto plain = output<double>(plugin, check(), 0);
  CheckRun run = check();
  run.variant = InputVariant::reseeded;
  EXPECT_NE(output<double>(plugin, run, 0), plain);
  run.only_param = 3;
  EXPECT_EQ(output<double>(plugin, run, 0), plain) << "only y was reseeded, and the plugin shows x";
  run.only_param = 2;
  EXPECT_NE(output<double>(plugin, run, 0), plain);
  run.only_param = -1;
  run.variant = InputVariant::small_integers;
  std::set<double> seen;
  for (const double value : output<double>(plugin, run, 0)) seen.insert(value);
  EXPECT_THAT(seen, ::testing::ElementsAre(-4, -3, -2, -1, 0, 1, 2, 3, 4));
  run.variant = InputVariant::sign_mixed;
  double smallest = 1e9, largest = 0, negatives = 0;
  for (const double value : output<double>(plugin, run, 0)) {
    smallest = std::min(smallest, std::fabs(value));
    largest = std::max(largest, std::fabs(value));
    negatives += value < 0;
  }
  EXPECT_LT(smallest, 1 / 64.0);
  EXPECT_GT(largest, 64);
  EXPECT_GT(negatives, 400);
  EXPECT_LT(negatives, 600);
}

TEST_F(DriverCheck, SameInputsWhateverTheThreadCount) {
  const std::string plugin = honest();
  const auto one = bench_->run(plugin, std::vector<CheckRun>{check()}, 1);
  const auto three = bench_->run(plugin, std::vector<CheckRun>{check()}, 3);
  ASSERT_TRUE(one.report && three.report);
  EXPECT_EQ(one.report->runs[0].outputs[0].bytes, three.report->runs[0].outputs[0].bytes);
}

// As -ffast-math did to shared objects up to GCC 12: loading it turns on flush-to-zero.
const std::string flushes =
    "static void __attribute__((constructor)) flush() { __builtin_ia32_ldmxcsr(0x9fc0); }\n";

TEST_F(DriverCheck, AFastMathPluginDoesNotChangeTheInputs) {
  const std::string fast = bench_->plugin(flushes + axpy, "-O2 -fopenmp -ffast-math");
  const auto plain = bench_->run(honest(), std::vector<CheckRun>{check()});
  const auto flushed = bench_->run(fast, std::vector<CheckRun>{check()});
  ASSERT_TRUE(plain.report && flushed.report);
  EXPECT_TRUE(flushed.report->arithmetic_changed);
  const auto &a = plain.report->runs[0].outputs[0], &b = flushed.report->runs[0].outputs[0];
  EXPECT_LT(distance(a.element, a.bytes, b.bytes), 1e-15);
}

TEST_F(DriverCheck, RepeatsCallsOnTheSameBuffers) {
  CheckRun twice = check();
  twice.calls = 2;
  const std::string plugin = bench_->plugin(body("for (int i = 0; i < n; ++i) y[i] *= 2;"));
  const auto once = output<double>(plugin, check(), 0), both = output<double>(plugin, twice, 0);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(both[i], 2 * once[i]);
}

TEST_F(DriverCheck, AMissingEntryIsThePluginsFault) {
  const auto outcome =
      bench_->run(bench_->plugin("extern \"C\" void other() {}"), std::vector<CheckRun>{check()});
  EXPECT_EQ(outcome.exit_code, 2);
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_FALSE(outcome.report->ended);
  EXPECT_EQ(outcome.report->fault, DriverFault::plugin);
  EXPECT_THAT(outcome.report->error, HasSubstr("does not define extern \"C\" axpy"));
}

TEST_F(DriverCheck, AFileThatIsNoPluginIsReported) {
  const auto outcome = bench_->run("/dev/null", std::vector<CheckRun>{check()});
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(outcome.report->fault, DriverFault::plugin);
  EXPECT_THAT(outcome.report->error, HasSubstr("cannot be loaded"));
}

TEST_F(DriverCheck, LeavingEarlyIsNoSuccess) {
  const auto outcome = bench_->run(bench_->plugin("#include <unistd.h>\n" + body("_exit(0);")),
                                   std::vector<CheckRun>{check()});
  EXPECT_EQ(outcome.exit_code, 0);
  ASSERT_FALSE(outcome.report);
  EXPECT_THAT(outcome.report.error().text(), HasSubstr("in run 1"));
}

TEST_F(DriverCheck, WritingIntoTheReportIsSeen) {
  const std::string forger =
      "#include <unistd.h>\n" + body("for (int fd = 3; fd < 64; ++fd) (void)!write(fd, \"NCMF\", 4);");
  const auto outcome = bench_->run(bench_->plugin(forger), std::vector<CheckRun>{check()});
  ASSERT_FALSE(outcome.report);
  EXPECT_THAT(outcome.report.error().text(), HasSubstr("cannot be trusted"));
}

TEST_F(DriverCheck, ThePluginCannotReadTheCommand) {
  const std::string spy = "#include <cstdio>\n#include <cstring>\n#include <string>\n" + body(R"(
    char args[4096] = {};
    FILE* f = std::fopen("/proc/self/cmdline", "rb");
    (void)!std::fread(args, 1, sizeof args - 1, f);
    std::fclose(f);
    FILE* command = std::fopen(args + std::strlen(args) + 1, "rb");
    y[0] = command ? 1 : 42;)");
  EXPECT_EQ(output<double>(bench_->plugin(spy), check(), 0).at(0), 42);
}

TEST_F(DriverCheck, LeftoverThreadsAreCounted) {
  const std::string plugin = bench_->plugin(
      "#include <thread>\n#include <unistd.h>\n" + body("std::thread([] { pause(); }).detach();"),
      "-O2 -fopenmp -pthread");
  const auto outcome = bench_->run(plugin, std::vector<CheckRun>{check()});
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(outcome.report->leftover_threads, 1);
}

TEST_F(DriverCheck, ProbeMeasuresCalls) {
  ProbeRun probe;
  probe.resolved = bench_->resolved("c", 3);
  probe.seconds = 1;
  probe.calls = 3;
  const auto outcome = bench_->run(honest(), probe);
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  ASSERT_TRUE(outcome.report->probe);
  const ProbeReport& found = *outcome.report->probe;
  EXPECT_GE(found.calls, 3);
  EXPECT_GT(found.seconds_per_call, 0);
  EXPECT_LT(found.seconds_per_call, found.overall_seconds);
  EXPECT_GT(found.overall_seconds, found.seconds_per_call);
  EXPECT_DOUBLE_EQ(found.data_bytes, 1000 * (8 + 8 + 4 + 8));
}

TEST_F(DriverCheck, ASlowCallIsProbedOnce) {
  ProbeRun probe;
  probe.resolved = bench_->resolved("c", 3);
  probe.seconds = 0.002;
  const std::string slow = "#include <chrono>\n#include <thread>\n" +
                           body("std::this_thread::sleep_for(std::chrono::milliseconds(30));");
  const auto outcome = bench_->run(bench_->plugin(slow), probe);
  ASSERT_TRUE(outcome.report && outcome.report->probe);
  EXPECT_EQ(outcome.report->probe->calls, 1);
  EXPECT_GE(outcome.report->probe->seconds_per_call, 0.03);
}

TEST_F(DriverCheck, ForAProfilerOneCallWarmsUpAndOneCounts) {
  ProbeRun probe;
  probe.resolved = bench_->resolved("c", 3);
  probe.seconds = 1e-6;  // even a long first call is followed by the one to look at
  probe.calls = 50;
  probe.kind = ProbeKind::profiled;
  const auto outcome = bench_->run(honest(), probe);
  ASSERT_TRUE(outcome.report && outcome.report->probe);
  EXPECT_EQ(outcome.report->probe->calls, 1);
}

TEST_F(DriverCheck, SustainedCallsGoOnForTheTimeAsked) {
  ProbeRun probe;
  probe.resolved = bench_->resolved("c", 3);
  probe.seconds = 0.2;
  probe.kind = ProbeKind::sustained;
  const auto outcome = bench_->run(honest(), probe);
  ASSERT_TRUE(outcome.report && outcome.report->probe);
  EXPECT_GE(outcome.report->probe->overall_seconds, 0.2);
  EXPECT_GT(outcome.report->probe->seconds_per_call, 0);
  EXPECT_LT(outcome.report->probe->seconds_per_call, 0.02);
}

}  // namespace
}  // namespace noctune::testing
