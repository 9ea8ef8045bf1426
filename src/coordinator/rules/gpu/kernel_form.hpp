// The usual form of a kernel: every thread computes its place, leaves when it lies outside, and does its
// work.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "coordinator/rules/gpu/source.hpp"

namespace noctune::rules::gpu {

// name = blockIdx * width + threadIdx along one axis.
struct ThreadIndex {
  std::string name, type;  // type as spelled
  std::size_t axis = 0;
  ExprPtr width;  // blockDim.x, or a constant that must equal it
};

struct Bound {
  std::string index;
  ExprPtr limit;  // index < limit
};

struct KernelForm {
  const Function* kernel = nullptr;
  std::vector<ThreadIndex> indices;  // one per axis in use, x first
  Statements head;                   // other declarations above the guard; they read no memory
  std::vector<Bound> bounds;         // conjuncts of the guard over an index
  std::vector<ExprPtr> conditions;   // all others
  Statements core;                   // what a thread inside does; names threads and blocks nowhere

  const ThreadIndex* on_axis(std::size_t axis) const;
  const Bound* bound_of(const std::string& index) const;
  // The guard says nothing but index < limit, once for every index.
  bool has_plain_guard() const;
  bool has_barriers_or_text() const;  // statements in the core that are not understood
};

// Nothing where threads talk to each other, or a place is computed in any other way.
std::optional<KernelForm> form_of(const Function& kernel);

// All guards as one condition; empty without any.
std::string guard_text(const KernelForm& form);

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

// Arrays that the statements store to, also by calls with an address.
std::set<std::string> written_arrays(const Statements& statements);

}  // namespace noctune::rules::gpu
