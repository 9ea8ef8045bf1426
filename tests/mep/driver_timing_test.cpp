#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "mep/compare.hpp"
#include "mep/driver_fixture.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

const char* const scale_spec = R"({
  "entry": "scale",
  "sizes": {"n": {"default": 20000, "scale": true}},
  "params": [
    {"name": "n", "type": "long", "value": "n"},
    {"name": "x", "type": "const double*", "count": "n", "role": "in"},
    {"name": "y", "type": "double*", "count": "n", "role": "inout", "init": {"kind": "uniform", "low": 1, "high": 2}},
    {"name": "z", "type": "double*", "count": "n", "role": "out"}
  ],
  "cases": [{"name": "c"}]
})";

const char* const scale = R"(
extern "C" void scale(long n, const double* x, double* y, double* z) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    y[i] *= 1.5;
    z[i] = x[i] + y[i];
  }
})";

struct Pipe {
  Descriptor read, write;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

class DriverTiming : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { bench_ = new Bench(spec_from(scale_spec)); }
  static void TearDownTestSuite() { delete bench_; }
  void SetUp() override { ASSERT_TRUE(bench_->built()) << bench_->compiler_output(); }

  static const std::string& honest() {
    static const std::string path = bench_->plugin(scale);
    return path;
  }
  static TimeRun timing(const std::string& schedule) {
    TimeRun run;
    run.cases = {bench_->resolved("c", 1), bench_->resolved("c", 2)};
    run.seed = 99;
    run.schedule = schedule;
    run.warmup_seconds = 0.005;
    run.flush_bytes = 1 << 20;
    return run;
  }
  // A CheckRun that must give what the timed call gave.
  static CheckRun reference(const TimeRun& run, const VerifiedOutputs& verified) {
    CheckRun check;
    check.resolved = run.cases[static_cast<std::size_t>(verified.case_index)];
    check.seed = verified.seed;
    check.poison = verified.poison;
    check.calls = verified.calls;
    return check;
  }
  static void expect_reproduced(const TimeRun& run, const VerifiedOutputs& verified,
                                const std::string& plugin) {
    const auto outcome = bench_->run(plugin, std::vector<CheckRun>{reference(run, verified)});
    ASSERT_TRUE(outcome.report) << outcome.report.error().text();
    const auto& outputs = outcome.report->runs[0].outputs;
    ASSERT_EQ(outputs.size(), verified.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i].bytes, verified.outputs[i].bytes);
  }

  struct Pair {
    Bench::Outcome a, b;
  };
  static Bench::Outcome outcome_of(Child& child) {
    Bench::Outcome outcome{child.wait(), child.bytes(), fail("not parsed")};
    outcome.report = parse_report(outcome.bytes, 0x1234567890abcdefULL);
    return outcome;
  }
  static Pair run_pair(const std::string& plugin_a, const std::string& plugin_b, TimeRun run) {
    Pipe to_a, to_b;
    run.side = 'a';
    run.token_in = to_a.read.get();
    run.token_out = to_b.write.get();
    Child a = bench_->start(bench_->command(plugin_a, run), {run.token_in, run.token_out});
    run.side = 'b';
    run.token_in = to_b.read.get();
    run.token_out = to_a.write.get();
    Child b = bench_->start(bench_->command(plugin_b, run), {run.token_in, run.token_out});
    for (Pipe* one : {&to_a, &to_b}) {
      one->read.reset();
      one->write.reset();
    }
    Bench::Outcome first = outcome_of(a);
    return {std::move(first), outcome_of(b)};
  }

  static Bench* bench_;
};
Bench* DriverTiming::bench_ = nullptr;

TEST_F(DriverTiming, AloneItTakesAllSamples) {
  TimeRun run = timing("aaaaa");
  run.verify_sample = 3;
  const std::string plugin = honest();
  const auto outcome = bench_->run(plugin, run);
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  ASSERT_TRUE(outcome.report->time) << outcome.report->error;
  const TimeReport& time = *outcome.report->time;
  ASSERT_EQ(time.samples.size(), 5u);
  double sum = 0;
  for (std::size_t i = 0; i < time.samples.size(); ++i) {
    EXPECT_EQ(time.samples[i].order, static_cast<int>(i));
    EXPECT_GT(time.samples[i].seconds, 1e-7);
    sum += time.samples[i].seconds;
  }
  EXPECT_NE(time.samples[0].input_set, time.samples[1].input_set) << "argument sets rotate";
  EXPECT_GE(time.warmup_calls, 3);
  EXPECT_GE(time.warmup_seconds, 0.005);
  EXPECT_GE(time.timed_wall_seconds, sum);
  EXPECT_TRUE(time.guards_ok && time.inputs_ok && time.restored);
  EXPECT_EQ(time.input_sets, 2);
  ASSERT_TRUE(time.verified);
  EXPECT_EQ(time.verified->sample, 3);
  EXPECT_EQ(time.verified->calls, 1);
  expect_reproduced(run, *time.verified, plugin);
}

TEST_F(DriverTiming, TwoSidesTakeTurns) {
  TimeRun run = timing("abbaabbbab");
  run.verify_sample = 2;
  const std::string plugin = honest();
  const Pair pair = run_pair(plugin, plugin, run);
  ASSERT_TRUE(pair.a.report && pair.b.report);
  ASSERT_TRUE(pair.a.report->time && pair.b.report->time) << pair.a.report->error << pair.b.report->error;
  EXPECT_EQ(pair.a.exit_code, 0);
  EXPECT_EQ(pair.b.exit_code, 0);
  std::string met(run.schedule.size(), '?');
  for (const Sample& sample : pair.a.report->time->samples) met[static_cast<std::size_t>(sample.order)] = 'a';
  for (const Sample& sample : pair.b.report->time->samples) met[static_cast<std::size_t>(sample.order)] = 'b';
  EXPECT_EQ(met, run.schedule);
  ASSERT_TRUE(pair.a.report->time->verified && pair.b.report->time->verified);
  const VerifiedOutputs &a = *pair.a.report->time->verified, &b = *pair.b.report->time->verified;
  EXPECT_EQ(a.seed, b.seed) << "both sides meet the same inputs";
  EXPECT_EQ(a.outputs[0].bytes, b.outputs[0].bytes);
  expect_reproduced(run, b, plugin);
}

TEST_F(DriverTiming, EverySampleIsSketched) {
  const TimeRun run = timing("abbaabba");
  const std::string now_and_then = bench_->plugin(R"(
extern "C" void scale(long n, const double* x, double* y, double* z) {
  static int calls = 0;
  ++calls;
  for (long i = 0; i < n; ++i) {
    y[i] *= 1.5;
    z[i] = x[i] + y[i] + (calls % 2 == 0 && i == n / 2 ? 0.5 : 0);
  }
})");
  const Pair same = run_pair(honest(), honest(), run), other = run_pair(honest(), now_and_then, run);
  ASSERT_TRUE(same.a.report && same.b.report && other.a.report && other.b.report);
  const TimeReport &a = *same.a.report->time, &b = *same.b.report->time, &c = *other.b.report->time;
  ASSERT_EQ(a.sketches.size(), 8u) << "two outputs, four samples";
  ASSERT_EQ(b.sketches.size(), 8u);
  int off = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(a.sketches[i].sum, b.sketches[i].sum, 1e-9);
    EXPECT_NEAR(a.sketches[i].squares, b.sketches[i].squares, 1e-6);
    EXPECT_GT(a.sketches[i].squares, 1000);
    off += std::abs(a.sketches[i].sum - c.sketches[i].sum) > 0.4;
  }
  EXPECT_EQ(off, 2) << "z of every other call";
}

TEST_F(DriverTiming, TheReferenceRunsAloneFirstAndWatchesItsPeer) {
  TimeRun run = timing("abbaabbbab");
  run.solo_samples = 4;
  // Would be seen in the first side's solo samples if it were loaded by then.
  const std::string slow_to_load = bench_->plugin(std::string(scale) + R"(
#include <time.h>
__attribute__((constructor)) static void wait_a_moment() {
  const timespec moment{0, 50000000};
  nanosleep(&moment, 0);
})");
  const Pair pair = run_pair(honest(), slow_to_load, run);
  ASSERT_TRUE(pair.a.report && pair.b.report && pair.a.report->time && pair.b.report->time);
  const TimeReport &a = *pair.a.report->time, &b = *pair.b.report->time;
  EXPECT_EQ(a.solo_samples.size(), 4u);
  EXPECT_TRUE(b.solo_samples.empty());
  // Runs of a: a, aa, a; of b: bb, bbb, b. The last one of b ends the schedule, so a does not see its end.
  EXPECT_EQ(a.own_turns.size(), 3u);
  EXPECT_EQ(a.peer_turns.size(), 2u);
  for (const double seconds : a.own_turns) EXPECT_GT(seconds, 0);
  double seen = 0, reported = 0;
  for (const double seconds : a.peer_turns) seen += seconds;
  for (std::size_t i = 0; i + 1 < b.samples.size(); ++i) reported += b.samples[i].seconds;
  EXPECT_GT(seen, reported);
}

TEST_F(DriverTiming, AScheduleMayStartWithTheOtherSide) {
  const std::string plugin = honest();
  const Pair pair = run_pair(plugin, plugin, timing("bba"));
  ASSERT_TRUE(pair.a.report && pair.b.report);
  ASSERT_TRUE(pair.a.report->time && pair.b.report->time);
  EXPECT_EQ(pair.a.report->time->samples.size(), 1u);
  EXPECT_EQ(pair.b.report->time->samples.size(), 2u);
}

// The plugin comes only once the device is this pair's; until then there is nothing but an open device.
TEST_F(DriverTiming, AnEarlySideOpensTheDeviceAndWaitsForTheToken) {
  const std::filesystem::path loaded = bench_->folder() / "loaded";
  const std::string loud = bench_->plugin(std::string("#include <stdio.h>\n") + scale + R"(
__attribute__((constructor)) static void loaded() { fclose(fopen(")" +
                                          loaded.string() + R"(", "w")); })");
  for (const bool given : {true, false}) {
    std::filesystem::remove(loaded);
    Pipe token, opening;
    TimeRun run = timing("aaa");
    run.starts_early = true;
    run.token_in = token.read.get();
    Pipe unread;
    run.token_out = unread.write.get();
    run.opening_fd = opening.write.get();
    Child child = bench_->start(bench_->command(loud, run), {run.token_in, run.token_out, run.opening_fd});
    token.read.reset();
    opening.write.reset();
    char byte = 'a';
    EXPECT_EQ(read(opening.read.get(), &byte, 1), 0) << "closed once the device is open";
    EXPECT_FALSE(std::filesystem::exists(loaded));
    if (given) {
      EXPECT_EQ(write(token.write.get(), "ba", 2), 2);  // the turn, and b's after its warm-up
    }
    token.write.reset();
    const Bench::Outcome outcome = outcome_of(child);
    ASSERT_TRUE(outcome.report);
    EXPECT_EQ(std::filesystem::exists(loaded), given);
    EXPECT_EQ(outcome.exit_code, given ? 0 : 3);
    if (given) {
      ASSERT_TRUE(outcome.report->time) << outcome.report->error;
      EXPECT_EQ(outcome.report->time->samples.size(), 3u);
    } else {
      EXPECT_EQ(outcome.report->fault, DriverFault::peer);
    }
  }
  std::filesystem::remove(loaded);
}

TEST_F(DriverTiming, ABatchUsesSetsOfItsOwn) {
  TimeRun run = timing("aaa");
  run.batch = 5;
  run.verify_sample = 1;
  const std::string plugin = honest();
  const auto outcome = bench_->run(plugin, run);
  ASSERT_TRUE(outcome.report && outcome.report->time);
  EXPECT_EQ(outcome.report->time->input_sets, 5);
  EXPECT_TRUE(outcome.report->time->restored);
  ASSERT_TRUE(outcome.report->time->verified);
  EXPECT_EQ(outcome.report->time->verified->calls, 1);
  expect_reproduced(run, *outcome.report->time->verified, plugin);
}

TEST_F(DriverTiming, WithoutMemoryABatchFeedsBackAndSaysSo) {
  TimeRun run = timing("aaa");
  run.batch = 5;
  run.verify_sample = 1;
  run.memory_bytes = 2.5 * run.cases[0].data_bytes;
  const std::string plugin = honest();
  const auto outcome = bench_->run(plugin, run);
  ASSERT_TRUE(outcome.report && outcome.report->time);
  EXPECT_EQ(outcome.report->time->input_sets, 2);
  EXPECT_FALSE(outcome.report->time->restored);
  ASSERT_TRUE(outcome.report->time->verified);
  EXPECT_GE(outcome.report->time->verified->calls, 2);
  expect_reproduced(run, *outcome.report->time->verified, plugin);
}

TEST_F(DriverTiming, APluginThatRemembersByAddressIsCaughtByTheVerifiedSample) {
  TimeRun run = timing("aaaaaa");
  run.verify_sample = 5;
  const char* const cheat = R"(
#include <cstring>
#include <map>
#include <vector>
static std::map<const double*, std::vector<double>> known_y, known_z;
extern "C" void scale(long n, const double* x, double* y, double* z) {
  auto& ky = known_y[x];
  auto& kz = known_z[x];
  if (ky.empty()) {
    for (long i = 0; i < n; ++i) { y[i] *= 1.5; z[i] = x[i] + y[i]; }
    ky.assign(y, y + n);
    kz.assign(z, z + n);
  }
  std::memcpy(y, ky.data(), 8 * n);
  std::memcpy(z, kz.data(), 8 * n);
})";
  const auto outcome = bench_->run(bench_->plugin(cheat), run);
  ASSERT_TRUE(outcome.report && outcome.report->time && outcome.report->time->verified);
  const VerifiedOutputs& verified = *outcome.report->time->verified;
  const auto truth = bench_->run(honest(), std::vector<CheckRun>{reference(run, verified)});
  ASSERT_TRUE(truth.report);
  const OutputBlob& expected = truth.report->runs[0].outputs[1];
  EXPECT_FALSE(compare(expected.element, expected.bytes, verified.outputs[1].bytes, {1e-12, {}}).passed);
}

TEST_F(DriverTiming, DamageDuringTimingIsReported) {
  const std::string late = bench_->plugin(R"(
extern "C" void scale(long n, const double* x, double* y, double* z) {
  static int calls = 0;
  for (long i = 0; i < n; ++i) { y[i] *= 1.5; z[i] = x[i] + y[i]; }
  if (++calls > 3) { z[n] = 0; const_cast<double*>(x)[0] = 0; }
})");
  const auto outcome = bench_->run(late, timing("aaaa"));
  ASSERT_TRUE(outcome.report && outcome.report->time);
  EXPECT_FALSE(outcome.report->time->guards_ok);
  EXPECT_THAT(outcome.report->time->guard_message, HasSubstr("z: 8 bytes changed behind"));
  EXPECT_FALSE(outcome.report->time->inputs_ok);
  EXPECT_THAT(outcome.report->time->input_message, HasSubstr("x changed"));
}

TEST_F(DriverTiming, ThePeersDeathEndsIt) {
  Pipe to_b, from_b;
  TimeRun run = timing("abababab");
  run.side = 'b';
  run.token_in = to_b.read.get();
  run.token_out = from_b.write.get();
  Child b = bench_->start(bench_->command(honest(), run), {run.token_in, run.token_out});
  to_b.read.reset();
  from_b.write.reset();
  ASSERT_EQ(write(to_b.write.get(), "a", 1), 1);  // side a is warm
  char token = 0;
  ASSERT_EQ(read(from_b.read.get(), &token, 1), 1);  // side b too; now side a dies
  to_b.write.reset();
  const Bench::Outcome outcome = outcome_of(b);
  EXPECT_EQ(outcome.exit_code, 3);
  ASSERT_TRUE(outcome.report) << outcome.report.error().text();
  EXPECT_FALSE(outcome.report->ended);
  EXPECT_EQ(outcome.report->fault, DriverFault::peer);
}

TEST_F(DriverTiming, ACrashOnOneSideEndsTheOther) {
  const std::string crash = bench_->plugin(R"(
extern "C" void scale(long, const double*, double*, double*) {
  static int calls = 0;
  if (++calls > 4) __builtin_trap();
})");
  const Pair pair = run_pair(honest(), crash, timing("abababababab"));
  EXPECT_EQ(pair.a.exit_code, 3);
  EXPECT_GT(pair.b.exit_code, 128);
  EXPECT_FALSE(pair.b.report);
}

TEST_F(DriverTiming, TurnsOfAPeerNeedTokens) {
  const auto outcome = bench_->run(honest(), timing("ab"));
  EXPECT_EQ(outcome.exit_code, 2);
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(outcome.report->fault, DriverFault::driver);
  EXPECT_THAT(outcome.report->error, HasSubstr("no token pipes"));
}

TEST_F(DriverTiming, ASlowerSideReadsSlower) {
  const std::string work = "for (long i = 0; i < n; ++i) { y[i] *= 1.5; z[i] = x[i] + y[i]; }}";
  const std::string head = "extern \"C\" void scale(long n, const double* x, double* y, double* z) {";
  const std::string quick = bench_->plugin(head + work);
  const std::string slow = bench_->plugin("#include <unistd.h>\n" + head + "usleep(20000);" + work);
  const Pair pair = run_pair(quick, slow, timing("abbaabbaab"));
  ASSERT_TRUE(pair.a.report && pair.b.report && pair.a.report->time && pair.b.report->time);
  double fastest = 1;
  for (const Sample& sample : pair.a.report->time->samples) fastest = std::min(fastest, sample.seconds);
  for (const Sample& sample : pair.b.report->time->samples) EXPECT_GE(sample.seconds, 0.02);
  EXPECT_LT(fastest, 0.02);
}

}  // namespace
}  // namespace noctune::testing
