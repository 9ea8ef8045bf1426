// Shows the run on rank 0's stdout: lines for people with a live status line on a terminal, key=value lines
// else.
#pragma once

#include <string>

#include "coordinator/observer.hpp"

namespace noctune {

class Console final : public Observer {
 public:
  Console();
  ~Console() override;
  void event(const std::string& hotspot, bool warning, const std::string& text) override;
  void progress(const RunProgress& progress) override;

 private:
  void draw();
  void clear();

  bool terminal_;
  double started_;
  RunProgress progress_;
  bool drawn_ = false;
};

}  // namespace noctune
