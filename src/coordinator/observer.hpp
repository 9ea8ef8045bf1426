// Who shows the run to people.
#pragma once

#include <string>

namespace noctune {

struct RunProgress {
  int hotspots = 0, finished = 0;
  int candidates = 0, ok = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void event(const std::string& hotspot, bool warning, const std::string& text) = 0;
  virtual void progress(const RunProgress& progress) = 0;
};

}  // namespace noctune
