#include "evaluator/profile/refusal.hpp"

#include <algorithm>

namespace noctune {
namespace {

struct Known {
  const char* text;
  RefusalKind kind;
  const char* problem;
  const char* hint;
};
constexpr const char* for_admins = "the GPU's counters are for administrators here";
constexpr const char* to_admins =
    "the site can set NVreg_RestrictProfilingToAdminUsers=0; until then profiles come from compiler reports";
constexpr const char* none_here = "the profiler gets no counters from this device";
constexpr const char* fall_back = "profiles come from compiler reports and measured times";
constexpr const char* no_launch = "the profiler saw no kernel";

// The first that fits counts, so the causes come before what follows from them.
constexpr Known known_refusals[] = {
    {"ERR_NVGPUCTRPERM", RefusalKind::permission, for_admins, to_admins},
    {"does not have permission to access NVIDIA GPU Performance Counters", RefusalKind::permission,
     for_admins, to_admins},
    {"driver resource was unavailable", RefusalKind::busy, "another tool holds the GPU's counters",
     "DCGM can pause its profiling fields; one profiler runs at a time on a node"},
    {"LibraryNotLoaded", RefusalKind::unsupported, none_here, fall_back},
    {"is not supported on", RefusalKind::unsupported, none_here, fall_back},
    {"Unsupported GPU", RefusalKind::unsupported, none_here, fall_back},
    {"returned an error code", RefusalKind::child_failed, "the program failed under the profiler",
     "run it without the profiler first"},
    {"No kernels were profiled", RefusalKind::no_kernel, no_launch, "check the kernel's name and the skip"},
    {"No kernels to profile", RefusalKind::no_kernel, no_launch, "check the kernel's name and the skip"},
    {"HSA_STATUS_ERROR_OUT_OF_RESOURCES", RefusalKind::busy, "the profiler got no room on the device",
     "one profiler runs at a time on a node"},
    {"==ERROR==", RefusalKind::unsupported, "the profiler failed", fall_back},
};

constexpr std::size_t longest_line = 300;

std::string line_around(const std::string& text, std::size_t at) {
  const std::size_t before = text.rfind('\n', at);
  const std::size_t start = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  return text.substr(start, std::min(end - start, longest_line));
}

}  // namespace

std::optional<ProfilerRefusal> profiler_refusal(const std::string& output) {
  for (const Known& known : known_refusals) {
    const std::size_t at = output.find(known.text);
    if (at == std::string::npos) continue;
    return ProfilerRefusal{known.kind, {known.problem, line_around(output, at), known.hint}};
  }
  return {};
}

}  // namespace noctune
