// Kernels in the usual form, with the launches whose shapes may be changed.
#pragma once

#include <vector>

#include "coordinator/rules/gpu/kernel_form.hpp"

namespace noctune::rules::gpu {

// The launch covers each index at least up to its bound, so that other shapes that cover the extent do the
// same work; its block is constant and fits the kernel's constants.
bool covers(const Source& source, const KernelForm& form, const Launch& launch);

// The kernel uses a helper or a macro that asks where its thread stands.
bool calls_for_its_place(const Source& source, const Function& kernel);

// What a rule needs to give a kernel another form and its launches other shapes.
struct Target {
  KernelForm form;
  std::vector<const Launch*> launches;  // never empty
};
// Kernels whose number of threads is a constant have the usual form as well, for rules that write the whole
// kernel anew: the grid is the bound of an index without a guard, a count of all threads is a number, and a
// kernel for one thread has no index.
enum class Grids { by_size, fixed_too };
// Kernels in the usual form whose launches all cover it and use no dynamic shared memory.
std::vector<Target> targets(const Work& work, Grids grids = Grids::by_size);

}  // namespace noctune::rules::gpu
