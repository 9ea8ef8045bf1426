// What tools may know from a version's machine code, read from a disassembler's listing. Loops are not
// followed: an instruction in a loop counts once, as one outside does.
#pragma once

#include <string_view>

#include "evaluator/profile/hints.hpp"

namespace noctune {

// `cuobjdump -sass` of a plugin, all of its kernels together. Empty where the text holds no instruction.
CodeCounts counts_from_sass(std::string_view listing);

}  // namespace noctune
