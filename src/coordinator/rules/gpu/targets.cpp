#include "coordinator/rules/gpu/targets.hpp"

#include <algorithm>

#include "coordinator/rules/polynomial.hpp"

namespace noctune::rules::gpu {
namespace {

const char* const axis_names[] = {".x", ".y", ".z"};

bool never_below(const ExprPtr& larger, const ExprPtr& smaller) {
  const auto a = polynomial_of(larger), b = polynomial_of(smaller);
  return a && b && never_negative(*a - *b);
}

}  // namespace

bool covers(const Source& source, const KernelForm& form, const Launch& launch) {
  if (launch.block_size() < 1 || launch.block_size() > 1024) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const ThreadIndex* index = form.on_axis(axis);
    if (!index) {
      const bool single =
          launch.threads[axis] == 1 && launch.grid[axis] && constant_of(launch.grid[axis]) == 1;
      if (!single) return false;
      continue;
    }
    const Bound* bound = form.bound_of(index->name);
    const ExprPtr limit = bound ? source.on_host(launch, bound->limit) : nullptr;
    if (!limit || !launch.extent[axis] || !never_below(launch.extent[axis], limit)) return false;
    const ExprPtr width = source.on_host(launch, index->width);
    const bool by_dim = index->width->text.rfind("blockDim", 0) == 0;
    if (!by_dim && (!width || constant_of(width) != launch.threads[axis])) return false;
  }
  return true;
}

bool calls_for_its_place(const Source& source, const Function& kernel) {
  const std::string& text = source.context.source;
  const std::string body = text.substr(kernel.body_begin, kernel.body_end - kernel.body_begin);
  for (const SourceFunction& helper : source.functions) {
    if (helper.kind != SourceFunction::Kind::device || !contains_word(body, helper.name)) continue;
    if (names_threads(text.substr(helper.body.begin, helper.body.end - helper.body.begin))) return true;
  }
  return std::any_of(source.macros.begin(), source.macros.end(), [&](const SourceMacro& macro) {
    return names_threads(macro.value) && contains_word(body, macro.name);
  });
}

namespace {

bool all_cover(const Work& work, const Target& target) {
  return !target.launches.empty() &&
         std::all_of(target.launches.begin(), target.launches.end(), [&](const Launch* launch) {
           return !launch->has_dynamic_memory() && covers(*work.gpu, target.form, *launch);
         });
}

// gridDim and blockDim as numbers; nothing where launches differ or depend on sizes.
Substitution dimensions_of(const std::vector<const Launch*>& launches) {
  Substitution values;
  for (const Launch* launch : launches)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto blocks = launch->grid[axis] ? constant_of(launch->grid[axis]) : std::nullopt;
      if (!blocks || *blocks < 1 || launch->threads != launches[0]->threads) return {};
      const std::string grid = std::string("gridDim") + axis_names[axis],
                        block = std::string("blockDim") + axis_names[axis];
      if (values.count(grid) && constant_of(values.at(grid)) != blocks) return {};
      values[grid] = number(*blocks);
      values[block] = number(launch->threads[axis]);
    }
  return values;
}

std::optional<Target> fixed_target(const Work& work, const Function& kernel) {
  Target target = {{}, work.gpu->launches_of(kernel.name)};
  const Substitution dimensions = dimensions_of(target.launches);
  if (dimensions.empty()) return {};
  auto form = form_of(kernel, dimensions);
  if (!form) return {};
  for (const ThreadIndex& index : form->indices)
    if (!form->bound_of(index.name))
      form->bounds.push_back({index.name, target.launches[0]->extent[index.axis]});
  target.form = std::move(*form);
  return all_cover(work, target) ? std::optional(std::move(target)) : std::nullopt;
}

}  // namespace

std::vector<Target> targets(const Work& work, Grids grids) {
  std::vector<Target> list;
  for (const Function& function : work.program.functions) {
    if (!function.kernel || calls_for_its_place(*work.gpu, function)) continue;
    auto form = form_of(function);
    Target usual = {form ? std::move(*form) : KernelForm(), work.gpu->launches_of(function.name)};
    if (usual.form.kernel && all_cover(work, usual))
      list.push_back(std::move(usual));
    else if (auto fixed = grids == Grids::fixed_too ? fixed_target(work, function) : std::nullopt)
      list.push_back(std::move(*fixed));
  }
  return list;
}

}  // namespace noctune::rules::gpu
