// What loops carry from one iteration to another. Conservative: what cannot be proved counts as a dependence.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/program.hpp"

namespace noctune::rules {

using LoopPath = std::vector<const Statement*>;

struct Access {
  std::string array;
  ExprPtr subscript;
  bool write = false;
  bool update = false;  // part of X[s] += e or X[s] -= e, where e does not read X
  const Statement* statement = nullptr;
  LoopPath loops;  // from outside in, `outer` first
};
std::vector<Access> accesses_of(const Statements& statements, const LoopPath& outer);

// Subscripts split into dimensions: sum of stride * position, each position within its stride.
struct Dimension {
  Monomial stride;
  Polynomial position;
};
std::optional<std::vector<Dimension>> dimensions_of(const ExprPtr& subscript, const LoopPath& loops);

// When two accesses meet in one element: never, only `distance` iterations of the loop apart, or who knows.
struct Relation {
  enum class Kind { never, exact, unknown } kind = Kind::unknown;
  long long distance = 0;  // iteration of b minus iteration of a
};
// `varying`: further counters that may differ between the two, besides those of loops inside.
Relation relation_of(const Access& a, const Access& b, const Statement& loop,
                     const std::set<std::string>& varying = {});

struct Carried {
  bool understood = false;         // no opaque statements, unknown calls or possibly overlapping arrays
  std::set<std::string> privates;  // scalars declared outside, written before being read in every iteration
  std::map<std::string, std::string> reductions;  // scalars: name -> OpenMP operator
  std::set<std::string>
      accumulated;  // arrays only ever updated by += and -=, in elements that iterations share
  std::set<std::string> conflicts;  // everything else that makes an iteration depend on another

  bool independent() const {
    return understood && conflicts.empty() && accumulated.empty() && reductions.empty();
  }
  bool reducible() const { return understood && conflicts.empty() && accumulated.empty(); }
};
Carried carried_by(const Program& program, const Function& function, const Statement& loop,
                   const LoopPath& outer);
// The same by id.
Carried carried_by(const Program& program, const Function& function, const std::string& id);

// True when every statement is understood and all arrays in it are known not to overlap.
bool is_analysable(const Program& program, const Function& function, const Statements& statements);

// The smallest and largest value over the loops, as a polynomial without their variables.
struct Range {
  Polynomial low, high;
};
std::optional<Range> range_of(Polynomial value, const LoopPath& loops);

// The factor by which the subscript moves with the variable: 0, 1, another polynomial, or nothing if not
// affine.
std::optional<Polynomial> stride_in(const ExprPtr& subscript, const std::string& variable);

// True when a[subscript] is surely inside the buffer wherever the loops lead (extents from the spec).
bool surely_inside(const Program& program, const std::string& array, const ExprPtr& subscript,
                   const LoopPath& loops);

}  // namespace noctune::rules
