// A guard that cuts off a loop's last iterations, as part of its bound: what is left in the loop can load
// ahead.
#pragma once

#include "coordinator/rules/statement.hpp"

namespace noctune::rules::gpu {

// Integers that the body gives a name, as what they stand for.
Substitution places_in(const Statements& body);

// { int i = first + k; if (i < n) {...} } becomes {...} with k < n - first, where nothing else is done and no
// value in the guard changes in the loop.
void move_guard_to_bound(Statement& loop);

}  // namespace noctune::rules::gpu
