// Why a profiler gave no counters, read from what it printed. Pure text.
#pragma once

#include <optional>
#include <string>

#include "base/error.hpp"

namespace noctune {

enum class RefusalKind {
  permission,   // counters are for administrators: stays so until the site changes it
  busy,         // another tool holds the counters: try again later
  unsupported,  // this device or virtual machine has none for us
  no_kernel,    // nothing that matches was launched
  child_failed  // the program itself ended badly
};
struct ProfilerRefusal {
  RefusalKind kind = RefusalKind::unsupported;
  Error error;
  bool is_lasting() const { return kind == RefusalKind::permission || kind == RefusalKind::unsupported; }
};

// From the profiler's output or log file; nothing where neither a refusal nor an error is named there.
std::optional<ProfilerRefusal> profiler_refusal(const std::string& output);

}  // namespace noctune
