// What a failed evaluation means for repairs.
#pragma once

#include <string>

#include "model/evaluation.hpp"

namespace noctune {

// Repairs are counted apart: those of builds, and those of runs and results.
enum class FailureKind { none, build, run };
FailureKind failure_kind(const Evaluation& evaluation);
// The model can do something about it: not for good versions, duplicates, noise and our own faults.
bool repairable(const Evaluation& evaluation);

// Verdict and first error without places, numbers, addresses and temporary names. The same signature twice in
// a row means that a repair did not help.
std::string failure_signature(const Evaluation& evaluation);

}  // namespace noctune
