#include "coordinator/rules/gpu/shuffle.hpp"

#include <algorithm>

namespace noctune::rules::gpu {
namespace {

// At most 32 neighbours, so waves of 64 work as two.
constexpr const char* macro = R"(#ifndef SHUFFLE_DOWN
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__)
#define SHUFFLE_DOWN(value, offset, lanes) __shfl_down(value, offset, lanes)
#else
#define SHUFFLE_DOWN(value, offset, lanes) __shfl_down_sync(0xffffffffu, value, offset, lanes)
#endif
#endif
)";

}  // namespace

void need_shuffle(const Work& work, std::vector<Edit>& edits) {
  if (!contains_word(work.program.source, "SHUFFLE_DOWN")) edits.push_back(helper_edit(work, macro));
}

std::string lane_sum(const std::vector<std::string>& names, long long lanes) {
  const bool taken = std::find(names.begin(), names.end(), "offset") != names.end();
  const std::string by = taken ? "lane_offset" : "offset";
  std::string text = "#pragma unroll\nfor (int " + by + " = " + std::to_string(lanes / 2) + "; " + by +
                     " > 0; " + by + " /= 2) {\n";
  for (const std::string& name : names)
    text += "  " + name + " += SHUFFLE_DOWN(" + name + ", " + by + ", " + std::to_string(lanes) + ");\n";
  return text + "}\n";
}

}  // namespace noctune::rules::gpu
