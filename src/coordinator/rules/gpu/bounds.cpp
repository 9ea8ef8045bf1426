// __launch_bounds__ from the constant block sizes of a kernel's launches. The second argument is blocks per
// multiprocessor for CUDA; hipcc takes it for waves per SIMD, of which a compute unit has four.
#include <algorithm>

#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/source.hpp"

namespace noctune::rules::gpu {
namespace {

constexpr long long wave = 64, simds = 4;

long long largest_block(const Source& source, const std::string& kernel) {
  long long largest = 0;
  for (const Launch* launch : source.launches_of(kernel)) {
    if (launch->block_size() < 1) return 0;
    largest = std::max(largest, launch->block_size());
  }
  return largest;
}

std::string bounds_text(const Source& source, long long threads, long long blocks) {
  std::string text = "__launch_bounds__(" + std::to_string(threads);
  if (blocks > 0) {
    const long long waves = (threads + wave - 1) / wave;
    const long long second = source.is_hip() ? (blocks * waves + simds - 1) / simds : blocks;
    text += ", " + std::to_string(second);
  }
  return text + ") ";
}

}  // namespace

bool launch_bounds(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const Source& source = *work.gpu;
  const long long blocks = step.integer("blocks", 0);
  std::vector<Edit> edits;
  for (const Function& function : work.program.functions) {
    if (!function.kernel || !wants(step, function.name)) continue;
    const SourceFunction* facts = source.function(function.name);
    const long long threads = largest_block(source, function.name);
    // More threads than a multiprocessor holds cannot be asked for.
    if (!facts || !facts->launch_bounds.empty() || threads == 0 || threads * blocks > 2048) continue;
    const std::size_t open = work.program.source.find('(', function.begin);
    const std::size_t name = find_word(work.program.source, function.name, function.begin);
    if (name == std::string::npos || name > open || name > function.body_begin) continue;
    edits.push_back({name, name, bounds_text(source, threads, blocks)});
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
