// What a GPU says of itself while something runs on it: clock, throttle reasons, energy, asked again and
// again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/gpu_library.hpp"
#include "mep/driver_report.hpp"

namespace noctune {

struct GpuReading {
  double time = 0;  // seconds of the monotonic clock, which drivers use as well
  GpuState state;
};

// A thread of its own asks, since a driver in trouble can let a question hang: then stop() returns what is
// there and leaves the thread to itself.
class GpuMonitor {
 public:
  using Ask = std::function<GpuState()>;

  // At once and then every `period` seconds.
  GpuMonitor(Ask ask, double period);
  GpuMonitor(const GpuMonitor&) = delete;
  ~GpuMonitor() { stop(); }

  std::vector<GpuReading> stop();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// Clock and throttle reasons of each sample: those of the readings taken during it, else of the nearest one.
void tag_samples(TimeReport& report, const std::vector<GpuReading>& readings);

// Power in W between two times, from the energy counter; nothing where it was not read there, or stood still.
std::optional<double> mean_power(const std::vector<GpuReading>& readings, double from, double to);

}  // namespace noctune
