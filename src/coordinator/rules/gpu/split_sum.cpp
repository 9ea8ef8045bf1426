#include "coordinator/rules/gpu/split_sum.hpp"

#include <algorithm>

#include "coordinator/rules/gpu/type_names.hpp"

namespace noctune::rules::gpu {
namespace {

bool is_declared_before(const CoreLoop& parts, const std::string& sum) {
  const auto declared = std::find_if(parts.before.begin(), parts.before.end(),
                                     [&](const Statement& s) { return s.name == sum && s.value; });
  // Another value made from a sum's start would differ from thread to thread.
  return declared != parts.before.end() &&
         std::none_of(parts.before.begin(), parts.before.end(),
                      [&](const Statement& s) { return s.value && mentions(s.value, sum); });
}

}  // namespace

std::optional<SplitSum> split_sum_in(const Work& work, const KernelForm& form) {
  if (form.indices.size() > 1 || (!form.indices.empty() && !form.on_axis(0)) || !form.kernel->distinct)
    return {};
  auto parts = core_loop_of(form);
  if (!parts || has_opaque(parts->before) || has_opaque(parts->loop.body)) return {};
  const auto sums = accumulators_of(parts->loop.body, work.program.pure_calls);
  if (!sums) return {};
  for (const Accumulator& sum : *sums) {
    if (mentions(parts->loop.lower, sum.name) || mentions(parts->loop.upper, sum.name)) return {};
    if (!is_declared_before(*parts, sum.name)) return {};
  }
  return SplitSum{*parts, *sums};
}

Statements starts(const SplitSum& split, const std::string& thread) {
  Statements before = split.parts.before;
  for (Statement& statement : before) {
    const bool sum = std::any_of(split.sums.begin(), split.sums.end(), [&](const Accumulator& one) {
      return one.name == statement.name && one.by == "+";
    });
    if (!sum || is_zero(statement.value)) continue;
    const ExprPtr first = binary("==", variable(thread, "int"), number(0), "bool");
    statement.value =
        node(ExprKind::select, "", statement.type,
             {first, statement.value,
              node(ExprKind::cast, plain_type(statement.type), plain_type(statement.type), {number(0)})});
  }
  return before;
}

}  // namespace noctune::rules::gpu
