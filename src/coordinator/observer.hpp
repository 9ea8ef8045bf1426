// Who shows the run to people.
#pragma once

#include <string>

namespace noctune {

struct RunProgress {
  int hotspots = 0, finished = 0;
  int candidates = 0, ok = 0;   // judged in this run
  long long left = 0;           // candidates that searches may still make, repairs apart
  double cost = 0, budget = 0;  // of the model, earlier runs included; no cap: 0
  std::string currency;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void event(const std::string& hotspot, bool warning, const std::string& text) = 0;
  virtual void progress(const RunProgress& progress) = 0;
};

}  // namespace noctune
