// What the host does between launches, as far as a MEP repeats it: swaps, copies and clearing of buffers.
#pragma once

#include <string>
#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

struct HostStep {
  std::size_t at = 0;  // offset in the host's text
  StepSpec step;
};

// In order. Only between `begin` and `end`.
std::vector<HostStep> host_steps_in(const std::string& text, std::size_t begin, std::size_t end);

}  // namespace noctune
