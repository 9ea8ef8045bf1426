// How long a device will need for a task, learnt from what tasks of the same kind took.
#pragma once

#include <map>
#include <string>
#include <utility>

namespace noctune {

class TaskCosts {
 public:
  // Seconds from when the device could turn to the task until its answer.
  void took(const std::string& hotspot, const std::string& kind, double seconds);
  // Of this hotspot and kind, else of all hotspots' tasks of that kind; 0 where nothing is known yet.
  double expected(const std::string& hotspot, const std::string& kind) const;

 private:
  std::map<std::pair<std::string, std::string>, double> means_;  // weighted towards the latest
};

}  // namespace noctune
