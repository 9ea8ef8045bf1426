// A thread that sums along a row of memory becomes a group of lanes or a whole block: they read neighbours
// together and add up by shuffles. A thread that is alone in its launch becomes a block, whatever it reads.
// The order of the sum changes.
#include <algorithm>

#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/loop_guard.hpp"
#include "coordinator/rules/gpu/shared_loop.hpp"
#include "coordinator/rules/gpu/shuffle.hpp"
#include "coordinator/rules/gpu/split_sum.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

constexpr long long alone = 1024;  // threads in place of a single one

// Neighbouring iterations read neighbouring elements that differ from thread to thread.
bool runs_along_rows(const KernelForm& form, const CoreLoop& parts, const std::set<std::string>& written) {
  if (form.indices.empty()) return true;  // one thread reads everything
  const std::string &index = form.indices[0].name, &counter = parts.loop.name;
  const Substitution places = places_in(parts.loop.body);
  const bool own_bounds =
      !is_uniform(parts.loop.lower, form, "") || !is_uniform(upper_bound(parts.loop), form, "");
  bool along = false;
  for (const ExprPtr& load : loads_of(parts.loop.body, written)) {
    const ExprPtr subscript = substitute(load->args[1], places);
    if (!mentions(subscript, counter) || reads_memory(subscript)) continue;
    const auto stride = stride_of(subscript, counter);
    if (!stride || *stride != 1) return false;
    along |= own_bounds || mentions(subscript, index);
  }
  return along;
}

std::optional<SplitSum> row_sum_in(const Work& work, const KernelForm& form) {
  auto row = split_sum_in(work, form);
  if (!row || !runs_along_rows(form, row->parts, written_arrays(form.kernel->body))) return {};
  move_guard_to_bound(row->parts.loop);
  return row;
}

struct Shares {
  long long lanes = 32;
  bool vectors = false;
};

// Which row a thread belongs to, and which of its lanes it is.
std::string place_text(const KernelForm& form, const std::string& lane, long long lanes) {
  if (form.indices.empty()) return "const int " + lane + " = threadIdx.x;\n";
  const std::string each = std::to_string(lanes);
  const std::string row = "const " + plain_type(form.indices[0].type) + " " + form.indices[0].name + " = ";
  if (lanes > 32) return row + "blockIdx.x;\nconst int " + lane + " = threadIdx.x;\n";
  return row + "blockIdx.x * (blockDim.x / " + each + ") + threadIdx.x / " + each + ";\nconst int " + lane +
         " = threadIdx.x % " + each + ";\n";
}

std::string kernel_text(const Work& work, const KernelForm& form, const SplitSum& row, const Shares& shares) {
  const std::string lane = fresh_name(work.program, "lane"), guard = guard_text(form);
  const SharedLoop shared = {row.parts.loop, written_arrays(form.kernel->body), lane,
                             std::to_string(shares.lanes)};
  const std::string wide = shares.vectors ? vector_loop_text(work, shared) : std::string();
  return fill_template(R"(  $place
  $head
  $leave
  $before
  $loop
  $sum
  if ($lane == 0) {
    $after
  }
)",
                       {{"place", place_text(form, lane, shares.lanes)},
                        {"lane", lane},
                        {"head", print(form.head, 0)},
                        {"leave", guard.empty() ? "" : "if (!(" + guard + ")) return;"},
                        {"before", print(starts(row, lane), 0)},
                        {"loop", wide.empty() ? single_loop_text(work, shared) : wide},
                        {"sum", shares.lanes > 32 ? block_combination(work, row.sums, shares.lanes)
                                                  : lane_combination(row.sums, shares.lanes)},
                        {"after", print(row.parts.after, 0)}});
}

}  // namespace

bool warp_rows(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const long long asked = step.integer("lanes", 32);
  const long long width = asked > 32 ? asked : step.integer("x", 256);
  if (asked < 2 || asked > 1024 || (asked & (asked - 1)) != 0) return false;
  if (width < 32 || width > 1024 || width % 32 != 0) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work, Grids::fixed_too)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto row = row_sum_in(work, form);
    if (!row || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    const long long lanes = form.indices.empty() ? alone : asked, threads = std::max(lanes, width);
    edits.push_back(
        body_edit(*form.kernel, kernel_text(work, form, *row, {lanes, step.integer("vector", 0) == 1})));
    for (const Launch* launch : target.launches) {
      const ExprPtr rows = form.indices.empty() ? number(1) : launch->extent[0];
      edits.push_back(
          launch_edit(*launch, {blocks_for(rows, threads / lanes), number(1), number(1)}, {threads, 1, 1}));
    }
  }
  if (!edits.empty()) need_shuffle(work, edits);
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
