// Kernels whose threads declare, run one loop and store: sums over a counter.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordinator/rules/gpu/kernel_form.hpp"

namespace noctune::rules::gpu {

struct CoreLoop {
  Statements before, after;  // before: declarations only
  Statement loop;
};
// Nothing where there are other loops, or statements in between that are not understood.
std::optional<CoreLoop> core_loop_of(const KernelForm& form);

// Loads a[s] of the statements, each once, of arrays that nobody writes.
std::vector<ExprPtr> loads_of(const Statements& statements, const std::set<std::string>& written);

// Replaces whole subexpressions.
void replace(Statements& statements, const ExprPtr& part, const ExprPtr& by);
ExprPtr replaced(const ExprPtr& expr, const ExprPtr& part, const ExprPtr& by);

// Names in the text of an index or bound that a thread's place decides: indices, and what is declared from
// anything.
bool is_uniform(const ExprPtr& expr, const KernelForm& form, const std::string& counter);

// The factor of the name in the subscript, where it is a number.
std::optional<long long> stride_of(const ExprPtr& subscript, const std::string& name);

bool is_zero(const ExprPtr& expr);
// Names declared or assigned in the kernel's head and core.
std::set<std::string> thread_names(const KernelForm& form);

}  // namespace noctune::rules::gpu
