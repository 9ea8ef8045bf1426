// Values that all threads of a block read in the same order, bodies in an all-pairs loop for instance, are
// staged through shared memory.
#include <algorithm>

#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"
#include "mep/reading/words.hpp"

namespace noctune::rules::gpu {
namespace {

constexpr std::size_t most_arrays = 8;

struct Staging {
  CoreLoop parts;
  std::vector<ExprPtr> loads;
};

bool leaves_loop(const Statements& body) {
  const std::string text = print(body, 0);
  return contains_word(text, "break") || contains_word(text, "return") || contains_word(text, "goto");
}

// Text in the loop may be a way to its next iteration and nothing else.
bool is_understood(const Statements& body) {
  bool fine = true;
  visit(body, [&](const Statement& statement) {
    if (statement.kind == StatementKind::text) fine &= statement.text == "continue;";
  });
  return fine && !leaves_loop(body);
}

std::optional<Staging> staging_in(const KernelForm& form) {
  if (form.indices.size() != 1 || !form.on_axis(0) || !form.has_plain_guard() || !form.kernel->distinct)
    return {};
  const auto limit = polynomial_of(form.bounds[0].limit);
  if (!limit || !never_negative(*limit - Polynomial::constant(1))) return {};
  auto parts = core_loop_of(form);
  if (!parts || has_opaque(parts->before) || !is_understood(parts->loop.body)) return {};
  const Statement& loop = parts->loop;
  if (!is_uniform(loop.lower, form, loop.name) || !is_uniform(upper_bound(loop), form, loop.name)) return {};
  const std::set<std::string> written = written_arrays(form.kernel->body);
  if (!written_arrays(loop.body).empty()) return {};
  Staging result = {*parts, {}};
  for (const ExprPtr& load : loads_of(loop.body, written)) {
    const auto stride = stride_of(load->args[1], loop.name);
    const bool together = stride && *stride > 0 && *stride <= 8 && is_uniform(load->args[1], form, loop.name);
    if (together && reading::size_of_type(plain_type(load->type)) > 0) result.loads.push_back(load);
  }
  if (result.loads.empty() || result.loads.size() > most_arrays) return {};
  return result;
}

constexpr const char* staged_kernel = R"(  $arrays
  const $itype $thread = blockIdx.x * blockDim.x + threadIdx.x;
  // Threads without an element repeat the last one, since all have to reach the barriers.
  const $itype $index = $thread < $limit ? $thread : $last;
  $head
  $before
  for ($type $first = $lower; $first < $upper; $first += $size) {
    const $type $place = $first + threadIdx.x;
    if ($place < $upper) {
      $copies
    }
    __syncthreads();
    const int $count = $upper - $first < $size ? $upper - $first : $size;
$pragma
    for (int $at = 0; $at < $count; ++$at) {
      $counter
      $body
    }
    __syncthreads();
  }
  if ($thread < $limit) {
    $after
  }
)";

std::string kernel_text(const Work& work, const KernelForm& form, const Staging& staging, long long size,
                        long long unroll) {
  const Statement& loop = staging.parts.loop;
  const ThreadIndex& index = form.indices[0];
  const std::string at = fresh_name(work.program, "at"), place = fresh_name(work.program, "place");
  std::string arrays, copies;
  Statements body = loop.body;
  for (std::size_t i = 0; i < staging.loads.size(); ++i) {
    const ExprPtr& load = staging.loads[i];
    const std::string name = fresh_name(work.program, "staged" + std::to_string(i));
    arrays += "__shared__ " + plain_type(load->type) + " " + name + "[" + std::to_string(size) + "];\n";
    const ExprPtr source = substitute(load, {{loop.name, variable(place, "int")}});
    copies += name + "[threadIdx.x] = " + print(source) + ";\n";
    replace(body, load, variable(name + "[" + at + "]", load->type));
  }
  const std::string first = fresh_name(work.program, "first"), type = plain_type(loop.type);
  const bool counts = contains_word(print(body, 0), loop.name);
  TemplateValues values = {
      {"arrays", arrays},
      {"copies", copies},
      {"body", print(body, 0)},
      {"at", at},
      {"place", place},
      {"first", first},
      {"type", type},
      {"size", std::to_string(size)},
      {"lower", print(loop.lower)},
      {"upper", print(upper_bound(loop))},
      {"count", fresh_name(work.program, "count")},
      {"thread", fresh_name(work.program, "thread")},
      {"itype", plain_type(index.type)},
      {"index", index.name},
      {"limit", print(form.bounds[0].limit)},
      {"last", print(plus(form.bounds[0].limit, -1))},
      {"head", print(form.head, 0)},
      {"before", print(staging.parts.before, 0)},
      {"after", print(staging.parts.after, 0)},
      {"counter",
       counts ? "const " + type + " " + loop.name + " = " + first + " + " + at + ";" : std::string()},
      {"pragma", unroll > 1 ? "#pragma unroll " + std::to_string(unroll) : std::string()}};
  return fill_template(staged_kernel, values);
}

long long bytes_staged(const Staging& staging, long long size) {
  long long bytes = 0;
  for (const ExprPtr& load : staging.loads) bytes += size * reading::size_of_type(plain_type(load->type));
  return bytes;
}

}  // namespace

bool stage_shared(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const long long size = step.integer("size", 256);
  if (size < 32 || size > 1024) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto staging = staging_in(form);
    if (!staging || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    if (bytes_staged(*staging, size) > 48 << 10) continue;
    edits.push_back(
        body_edit(*form.kernel, kernel_text(work, form, *staging, size, step.integer("unroll", 1))));
    for (const Launch* launch : target.launches)
      edits.push_back(
          launch_edit(*launch, {blocks_for(launch->extent[0], size), number(1), number(1)}, {size, 1, 1}));
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
