// Counts by atomics in device memory become counts in shared memory, added up once per block.
#include <algorithm>
#include <charconv>

#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

constexpr long long most_bins = 4096;

struct Bins {
  std::string array, type;
  std::string count;  // a number, or a parameter of the kernel
  long long capacity = 0;
};

// Every mention is a statement atomicAdd(&array[...], value), whose result nobody uses.
bool only_added(const Statements& statements, std::string& array) {
  for (const Statement& statement : statements) {
    if (!only_added(statement.body, array) || !only_added(statement.otherwise, array)) return false;
    if (statement.kind != StatementKind::text) continue;
    const ExprPtr& call = statement.value;
    if (!call || call->text != "atomicAdd" || call->args.size() != 2) return false;
    const ExprPtr& place = call->args[0];
    if (place->kind != ExprKind::unary || place->args[0]->kind != ExprKind::index) return false;
    const std::string name = print(place->args[0]->args[0]);
    if (!array.empty() && array != name) return false;
    array = name;
    if (contains_word(print(place->args[0]->args[1]) + " " + print(call->args[1]), array)) return false;
  }
  return true;
}

bool used_elsewhere(const Statements& statements, const std::string& array) {
  bool found = false;
  visit(statements, [&](const Statement& statement) {
    if (statement.kind == StatementKind::text) return;
    for (const ExprPtr& expr : {statement.value, statement.target, statement.lower, statement.upper})
      found |= expr && mentions(expr, array);
  });
  return found;
}

std::optional<long long> number_of(const std::string& text) {
  long long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return {};
  return value;
}

// A size that no case may change is as good as a number.
std::string settled_count(const MepSpec& spec, const std::string& count) {
  for (const SizeSpec& size : spec.sizes)
    if (size.name == count && size.fixed) return std::to_string(size.value);
  return count;
}

// The kernel's parameter that holds the number of bins.
std::string count_param(const Source& source, const Function& kernel, const std::string& count) {
  for (const Parameter& param : kernel.params) {
    const ParamSpec* spec = source.spec_of(kernel.name, param.name);
    if (spec && spec->value == count && is_integer(param.type)) return param.name;
  }
  return {};
}

std::optional<Bins> bins_in(const Source& source, const KernelForm& form) {
  if (form.indices.size() != 1 || !form.on_axis(0) || !form.has_plain_guard()) return {};
  Bins bins;
  if (!only_added(form.core, bins.array) || bins.array.empty()) return {};
  if (used_elsewhere(form.core, bins.array)) return {};
  const ParamSpec* spec = source.spec_of(form.kernel->name, bins.array);
  for (const Parameter& param : form.kernel->params)
    if (param.name == bins.array) bins.type = element_of(param.type);
  if (!spec || !form.kernel->distinct || (bins.type != "int" && bins.type != "unsigned int")) return {};
  const std::string count = settled_count(source.context.spec, spec->count);
  if (const auto fixed = number_of(count)) {
    bins.count = count;
    bins.capacity = *fixed;
  } else {
    bins.count = count_param(source, *form.kernel, spec->count);
    const auto timed = source.context.sizes.find(spec->count);
    if (bins.count.empty() || timed == source.context.sizes.end() || timed->second > most_bins) return {};
    bins.capacity = most_bins;
  }
  return bins.capacity > 0 && bins.capacity <= most_bins ? std::optional(bins) : std::nullopt;
}

std::string in_local(std::string text, const std::string& name, const std::string& by) {
  for (std::size_t at = find_word(text, name, 0); at != std::string::npos;
       at = find_word(text, name, at + by.size()))
    text.replace(at, name.size(), by);
  return text;
}

std::string kernel_text(const Work& work, const KernelForm& form, const Bins& bins) {
  const ThreadIndex& index = form.indices[0];
  const std::string local = fresh_name(work.program, "local_bins"), bin = fresh_name(work.program, "bin");
  const std::string work_text = print(form.head, 0) + print(form.core, 0);
  const std::string loop = fill_template(
      R"(for ($itype $index = blockIdx.x * blockDim.x + threadIdx.x; $index < $limit; $index += gridDim.x * blockDim.x) {
  $work
}
)",
      {{"itype", plain_type(index.type)},
       {"index", index.name},
       {"limit", print(form.bounds[0].limit)},
       {"work", work_text}});
  const bool by_param = !number_of(bins.count);
  return fill_template(R"(  __shared__ $type $local[$capacity];
  $choose
  for (int $bin = threadIdx.x; $bin < $count; $bin += blockDim.x) $local[$bin] = 0;
  __syncthreads();
  $loop
  __syncthreads();
  for (int $bin = threadIdx.x; $bin < $count; $bin += blockDim.x)
    if ($local[$bin] != 0) atomicAdd(&$array[$bin], $local[$bin]);
)",
                       {{"type", bins.type},
                        {"local", local},
                        {"capacity", std::to_string(bins.capacity)},
                        {"choose", by_param ? "if (" + bins.count + " > " + std::to_string(bins.capacity) +
                                                  ") {\n" + print({text_lines(loop)}, 2) + "  return;\n}"
                                            : std::string()},
                        {"bin", bin},
                        {"count", bins.count},
                        {"loop", in_local(loop, bins.array, local)},
                        {"array", bins.array}});
}

}  // namespace

bool private_bins(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const long long threads = step.integer("x", 256), waves = std::clamp(step.integer("waves", 4), 1LL, 32LL);
  if (threads < 32 || threads > 1024) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto bins = bins_in(*work.gpu, form);
    if (!bins || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *bins)));
    for (const Launch* launch : target.launches) {
      const ExprPtr blocks = blocks_for(launch->extent[0], threads);
      const ExprPtr most = number(work.gpu->context.multiprocessors * waves);
      const ExprPtr grid =
          node(ExprKind::select, "", "int", {binary("<", blocks, most, "bool"), blocks, most});
      edits.push_back(launch_edit(*launch, {grid, number(1), number(1)}, {threads, 1, 1}));
    }
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
