// What a profiler counted for one launch of one kernel, by its own names. A counter without a value is
// unknown, never zero.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace noctune {

struct Counter {
  std::optional<double> value;
  std::string unit;
};

struct KernelMetrics {
  std::string process;  // its id, as text
  std::string kernel;   // name as the profiler prints it, with its parameters
  std::map<std::string, Counter> counters;

  std::optional<double> value(const std::string& name) const {
    const auto found = counters.find(name);
    return found == counters.end() ? std::nullopt : found->second.value;
  }
};
using KernelRows = std::vector<KernelMetrics>;

}  // namespace noctune
