// K(0)'s outputs must not follow what lay in outputs and scratch before the call. Two fillings of the same
// run show whether they do, and single buffers with known contents show which one it reads.
#pragma once

#include <memory>

#include "evaluator/original_run.hpp"
#include "evaluator/workbench.hpp"

namespace noctune {

// Refuses a K(0) that uses memory before it writes it. Only the small check cases run; outputs that only
// invariants judge, and those that differ from run to run, are not held to it beyond NaN.
Task<Step> probe_poison(std::shared_ptr<Workbench> bench, double seconds);

}  // namespace noctune
