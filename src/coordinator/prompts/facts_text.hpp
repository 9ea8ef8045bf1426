// What the tolerant reader understood of a source, in short lines: for a model, and for people.
#pragma once

#include <string>

#include "model/source_facts.hpp"

namespace noctune {

// "gemm(int n, const float* a)".
std::string function_text(const SourceFunction& function);

// Functions with what they read and write and under which guards, launches, shared arrays, symbols, types,
// what is missing. Empty where nothing was understood.
std::string facts_text(const SourceFacts& facts);

}  // namespace noctune
