// What compilers and processes wrote, made short and harmless for a prompt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/evaluation.hpp"

namespace noctune {

// The first line that tells an error; empty where none does.
std::string first_error_line(const std::string& diagnostics);

// The first errors with the lines that explain them, else the first lines; in a fence, without paths,
// control characters, fences of its own and secret numbers. Empty where there is nothing.
std::string diagnostics_text(const Evaluation& evaluation, const std::vector<std::uint64_t>& secrets);

// What happened, in sentences. Wrong results: which output, where, expected, got, how many; the kind of
// inputs is left out.
std::string failure_text(const Evaluation& evaluation, const std::vector<std::uint64_t>& secrets);

// How often it may still be mended, this time included; empty for 0. `of`: " of this version", or nothing.
std::string repairs_left_text(int left, const std::string& of = {});

}  // namespace noctune
