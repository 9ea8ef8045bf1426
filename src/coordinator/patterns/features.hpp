// What is known of a kernel on its platform, in the words that conditions use (feature_words.hpp).
#pragma once

#include <string>

#include "model/pattern.hpp"
#include "model/task.hpp"

namespace noctune {

// Every feature, "unknown" where the source, the spec or the device do not tell. `source`: the version in
// question; sizes, times, bytes and operations are those of the report, so K(0)'s. Deterministic.
KernelFeatures features_of(const PrepareTask& task, const MepReport& report, const DeviceFacts& device,
                           const std::string& source);

}  // namespace noctune
