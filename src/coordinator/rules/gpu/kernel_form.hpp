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

// Nothing where threads talk to each other, or a place is computed in any other way. `dimensions`: gridDim.x
// and the like where they are numbers; then a kernel may also do without an index.
std::optional<KernelForm> form_of(const Function& kernel, const Substitution& dimensions = {});

// All guards as one condition; empty without any.
std::string guard_text(const KernelForm& form);

// The text asks where its thread stands, or talks to other threads.
bool names_threads(const std::string& text);

// Arrays that the statements store to, also by calls with an address.
std::set<std::string> written_arrays(const Statements& statements);

}  // namespace noctune::rules::gpu
