// The backends by name: "openmp", "cuda", "hip".
#pragma once

#include <string>

namespace noctune {

// The entry runs on a device with memory of its own and takes a stream.
inline bool runs_on_gpu(const std::string& backend) {
  return backend == "cuda" || backend == "hip";
}

// What sources for it are called: ".cpp", ".cu", ".hip".
inline std::string source_suffix(const std::string& backend) {
  return backend == "cuda" ? ".cu" : backend == "hip" ? ".hip" : ".cpp";
}

}  // namespace noctune
