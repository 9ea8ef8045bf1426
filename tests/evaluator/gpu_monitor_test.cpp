// A device's readings around measurements. There is no GPU: functions stand in for what it would say.
#include "evaluator/gpu_monitor.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <future>

#include "evaluator/energy.hpp"
#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GpuReading reading(double time, double energy_mj, long long throttle = 0, double clock = 1.5e9) {
  GpuReading out;
  out.time = time;
  out.state.energy_mj = energy_mj;
  out.state.throttle = throttle;
  out.state.sm_clock_hz = clock;
  return out;
}

TEST(GpuMonitor, AsksAtOnceAndAgainUntilItIsStopped) {
  std::atomic<int> asked{0};
  std::promise<void> thrice;
  GpuMonitor monitor(
      [&] {
        if (++asked == 3) thrice.set_value();
        GpuState out;
        out.energy_mj = asked;
        return out;
      },
      1e-4);
  thrice.get_future().wait();
  const std::vector<GpuReading> readings = monitor.stop();
  ASSERT_GE(readings.size(), 3u);
  EXPECT_EQ(readings[0].state.energy_mj, 1);
  for (std::size_t i = 1; i < readings.size(); ++i) EXPECT_GE(readings[i].time, readings[i - 1].time);
  EXPECT_THAT(monitor.stop(), IsEmpty());
}

TEST(GpuMonitor, AQuestionThatHangsHoldsNobodyUp) {
  auto open = std::make_shared<std::promise<void>>();
  auto asked = std::make_shared<std::promise<void>>();
  {
    GpuMonitor monitor(
        [open, asked] {
          asked->set_value();
          open->get_future().wait();
          return GpuState{};
        },
        1);
    asked->get_future().wait();
    EXPECT_THAT(monitor.stop(), IsEmpty());
  }
  open->set_value();
}

TEST(GpuMonitor, SamplesGetTheNearestReadingAndEveryReasonWithin) {
  TimeReport report;
  report.samples.resize(3);
  report.samples[0].started = 10;
  report.samples[0].seconds = 1;
  report.samples[1].started = 20;
  report.samples[1].seconds = 5;
  report.samples[2].started = 30;
  tag_samples(report, {reading(10.6, 0, 0, 1e9), reading(21, 0, 4), reading(22.4, 0, 0), reading(24, 0, 8)});
  EXPECT_EQ(report.samples[0].clock_hz, 1e9);
  EXPECT_EQ(report.samples[0].throttle, 0);
  EXPECT_EQ(report.samples[1].throttle, 12);
  EXPECT_EQ(report.samples[2].throttle, 8);
  TimeReport unread = report;
  unread.samples.resize(1);
  unread.samples[0].clock_hz = -1;
  tag_samples(unread, {});
  EXPECT_EQ(unread.samples[0].clock_hz, -1);
}

TEST(GpuMonitor, PowerIsTheCountersSlope) {
  const std::vector<GpuReading> readings = {reading(0, 0), reading(1, 1e5), reading(2, 3e5), reading(3, 5e5)};
  EXPECT_DOUBLE_EQ(mean_power(readings, 0.9, 3.1).value_or(0), 200);
  EXPECT_FALSE(mean_power(readings, 2.5, 3.5));  // one reading
  EXPECT_FALSE(mean_power({reading(0, 7), reading(1, 7)}, 0, 1));
  EXPECT_FALSE(mean_power({reading(0, -1), reading(1, -1)}, 0, 1));
  EXPECT_FALSE(mean_power({}, 0, 1));
}

class DeviceThatTells : public ::testing::Test {
 protected:
  DeviceThatTells() {
    auto sized = sized_bench(real_, small_task(axpy_spec, axpy_source), {{"n", 20000}}, {{"n", 131}});
    bench_ = sized.bench;
    report_ = sized.report;
  }

  Timed timed(long long throttle) {
    real_.bench->gpu_state = [throttle] { return reading(0, 0, throttle, 1.9e9).state; };
    TimingPlan plan;
    plan.repeats = 5;
    plan.trim = 1;
    const WorkCase& work = bench_->cases().front();
    DriverRunner::Pair pair = real_.run(
        bench_->run_pair(bench_->original().file, bench_->original().file, timing_run(work, plan), 20));
    const TimingRules rules{report_.tolerances, 0, {}};
    return judge_timing(work, plan, rules, std::move(pair));
  }

  RealEvaluator real_;
  std::shared_ptr<Workbench> bench_;
  MepReport report_;
};

TEST_F(DeviceThatTells, ItsClockAndReasonsStandBesideEverySample) {
  const Timed found = timed(0x4);
  ASSERT_EQ(found.verdict, Verdict::ok) << found.message;
  EXPECT_EQ(found.summary.device.clocks.size(), 5u);
  EXPECT_THAT(found.summary.reference_device.clocks, Each(1.9e9));
  EXPECT_THAT(found.summary.device.throttles, Each(4));  // the power cap: it counts
}

TEST_F(DeviceThatTells, TimesOfADeviceThatBrakesAreNotTaken) {
  const Timed found = timed(0x8);
  EXPECT_EQ(found.verdict, Verdict::lost);
  EXPECT_THAT(found.message, HasSubstr("slowed itself down"));
}

TEST_F(DeviceThatTells, EnergyIsWhatCallsTakeBeyondTheIdleDevice) {
  Workbench::Sustained found;
  ProbeRun probe;
  probe.resolved = bench_->cases().front().by_seed.front();
  probe.seconds = 0.01;
  probe.kind = ProbeKind::sustained;
  found.run = real_.run(bench_->run(bench_->original().file, probe, 20));
  ASSERT_EQ(found.run.verdict(), Verdict::ok) << found.run.message();
  const double call = found.run.report->probe->seconds_per_call;
  for (int i = 0; i <= 10; ++i) found.idle.push_back(reading(0.1 * i, 1e4 * i));      // 100 W
  for (int i = 0; i <= 60; ++i) found.busy.push_back(reading(2 + 0.1 * i, 4e4 * i));  // 400 W
  found.ended = 7;
  EXPECT_NEAR(joules_per_call(found, 3).value_or(0), 300 * call, 1e-6 * call);
  found.idle.clear();
  EXPECT_FALSE(joules_per_call(found, 3));
}

TEST_F(DeviceThatTells, WithoutACounterThereIsNoEnergy) {
  EXPECT_FALSE(real_.run(energy_per_call(bench_, report_, bench_->original().file)));
}

}  // namespace
}  // namespace noctune
