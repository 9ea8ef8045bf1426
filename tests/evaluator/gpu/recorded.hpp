// Texts that real compilers printed, under tests/evaluator/gpu/data.
#pragma once

#include <string>

#include "base/files.hpp"
#include "evaluator/gpu/resource_report.hpp"
#include "places.hpp"

namespace noctune {

inline std::string recorded(const std::string& name) {
  return value_or_throw(read_file(std::string(NOCTUNE_SOURCE_DIR) + "/tests/evaluator/gpu/data/" + name));
}

inline KernelResources kernel_of(const ResourceReport& report, const std::string& start,
                                 const std::string& arch) {
  for (const KernelResources& one : report.kernels)
    if (one.demangled.starts_with(start) && one.arch == arch) return one;
  return {};
}

}  // namespace noctune
