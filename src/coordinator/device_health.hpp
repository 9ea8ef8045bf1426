// When a device is given up: after three faults of our own infrastructure in a row. A candidate's failure,
// however bad, is a success of the device that found it out.
#pragma once

#include "base/json.hpp"

namespace noctune {

class DeviceHealth {
 public:
  static constexpr int faults_to_retire = 3;

  void success() {
    if (!retired()) faults_ = 0;
  }
  void fault() { ++faults_; }
  // For good: nothing brings a device back within a run.
  bool retired() const { return faults_ >= faults_to_retire; }

 private:
  int faults_ = 0;  // in a row
};

// What an evaluator answered: an error, or the verdict `lost`, which a failing health probe ends in as well.
bool is_infrastructure_fault(const Json& reply);
// What it said about that, for people.
std::string fault_text(const Json& reply);

}  // namespace noctune
