#include "evaluator/gpu_monitor.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.hpp"

namespace noctune {
namespace {

constexpr auto patience = std::chrono::seconds(2);  // with a question that is still open

const GpuReading* nearest(const std::vector<GpuReading>& readings, double time) {
  const auto closer = [time](const GpuReading& a, const GpuReading& b) {
    return std::abs(a.time - time) < std::abs(b.time - time);
  };
  const auto found = std::min_element(readings.begin(), readings.end(), closer);
  return found == readings.end() ? nullptr : &*found;
}

}  // namespace

struct GpuMonitor::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false, ended = false;
  std::vector<GpuReading> readings;

  void watch(const Ask& ask, double period) {
    std::unique_lock lock(mutex);
    while (!stopping) {
      lock.unlock();
      GpuReading one{steady_seconds(), ask()};
      one.time = 0.5 * (one.time + steady_seconds());
      lock.lock();
      readings.push_back(one);
      changed.wait_for(lock, std::chrono::duration<double>(period), [this] { return stopping; });
    }
    ended = true;
    changed.notify_all();
  }
};

GpuMonitor::GpuMonitor(Ask ask, double period) : shared_(std::make_shared<Shared>()) {
  std::thread([shared = shared_, ask = std::move(ask), period] { shared->watch(ask, period); }).detach();
}

std::vector<GpuReading> GpuMonitor::stop() {
  std::unique_lock lock(shared_->mutex);
  shared_->stopping = true;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, patience, [this] { return shared_->ended; });
  return std::exchange(shared_->readings, {});
}

void tag_samples(TimeReport& report, const std::vector<GpuReading>& readings) {
  for (Sample& sample : report.samples) {
    const GpuReading* near = nearest(readings, sample.started + 0.5 * sample.seconds);
    if (!near) return;
    sample.clock_hz = near->state.sm_clock_hz;
    sample.throttle = near->state.throttle;
    for (const GpuReading& one : readings)
      if (one.time >= sample.started && one.time <= sample.started + sample.seconds && one.state.throttle > 0)
        sample.throttle = std::max(sample.throttle, 0LL) | one.state.throttle;
  }
}

std::optional<double> mean_power(const std::vector<GpuReading>& readings, double from, double to) {
  const GpuReading *first = nullptr, *last = nullptr;
  for (const GpuReading& one : readings) {
    if (one.time < from || one.time > to || one.state.energy_mj < 0) continue;
    if (!first) first = &one;
    last = &one;
  }
  if (!first || last->time <= first->time || last->state.energy_mj <= first->state.energy_mj) return {};
  return 1e-3 * (last->state.energy_mj - first->state.energy_mj) / (last->time - first->time);
}

}  // namespace noctune
