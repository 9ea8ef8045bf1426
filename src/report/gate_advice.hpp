// What the author of a refused version can do, one sentence or two for each way of being refused.
#pragma once

#include <string>

#include "model/evaluation.hpp"
#include "model/task.hpp"

namespace noctune {

std::string advice_for(const Evaluation& refused, const PrepareTask& setup);

// Compiler or run-time output for reading: file names of the scratch folder become `file`, at most `lines`
// lines, and how many were left out.
std::string shortened_diagnostics(const std::string& diagnostics, const std::string& file, int lines);

}  // namespace noctune
