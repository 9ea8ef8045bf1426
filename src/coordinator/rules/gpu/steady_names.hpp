// Which names of a kernel keep one value for the whole of a thread's run.
#pragma once

#include <map>
#include <string>

#include "coordinator/rules/statement.hpp"

namespace noctune::rules::gpu {

// Marks integers that are assigned, declared twice or declared inside a loop as unsteady, loop counters
// excepted.
Statements steady(const Statements& statements);

// Integers that get one value, with it; constants of the file too.
Substitution fixed_integers(const Statements& statements, const std::map<std::string, long long>& constants);

}  // namespace noctune::rules::gpu
