// A starter spec from recorded launches of one kernel: every launch a case, weighted by how often it was met.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/capture.hpp"

namespace noctune {

struct CapturedSpec {
  OrderedJson spec;
  // Contents to be written beside the spec: relative path, argument.
  std::vector<std::pair<std::string, CapturedArgument>> files;
  std::vector<std::string> notes;  // what a person has to look at
};

// All launches must be of one kernel and agree on its arguments' names, types and roles; the error names what
// differs.
Result<CapturedSpec> spec_of_captures(const std::vector<CapturedLaunch>& launches);

}  // namespace noctune
