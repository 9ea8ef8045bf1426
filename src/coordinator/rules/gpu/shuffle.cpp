#include "coordinator/rules/gpu/shuffle.hpp"

#include <algorithm>

#include "coordinator/rules/template_text.hpp"

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

std::string lane_combination(const std::vector<Accumulator>& accumulators, long long lanes) {
  const bool taken = std::any_of(accumulators.begin(), accumulators.end(),
                                 [](const Accumulator& one) { return one.name == "offset"; });
  const std::string by = taken ? "lane_offset" : "offset";
  std::string text;
  for (const Accumulator& one : accumulators)
    text += combine(one, "SHUFFLE_DOWN(" + one.name + ", " + by + ", " + std::to_string(lanes) + ")");
  return fill_template("#pragma unroll\nfor (int $by = $half; $by > 0; $by /= 2) {\n  $text\n}\n",
                       {{"by", by}, {"half", std::to_string(lanes / 2)}, {"text", text}});
}

std::string block_combination(const Work& work, const std::vector<Accumulator>& accumulators,
                              long long threads) {
  const long long warps = threads / 32;
  if (warps == 1) return lane_combination(accumulators, 32);
  std::string shared, store, load;
  for (const Accumulator& one : accumulators) {
    const std::string parts = fresh_name(work.program, one.name + "_parts");
    shared += "__shared__ " + one.type + " " + parts + "[" + std::to_string(warps) + "];\n";
    store += "if (threadIdx.x % 32 == 0) " + parts + "[threadIdx.x / 32] = " + one.name + ";\n";
    load += one.name + " = " + parts + "[threadIdx.x % " + std::to_string(warps) + "];\n";
  }
  return fill_template(
      "$shared\n$lanes\n$store\n__syncthreads();\nif (threadIdx.x < 32) {\n  $load\n  $warps\n}\n",
      {{"shared", shared},
       {"lanes", lane_combination(accumulators, 32)},
       {"store", store},
       {"load", load},
       {"warps", lane_combination(accumulators, warps)}});
}

}  // namespace noctune::rules::gpu
