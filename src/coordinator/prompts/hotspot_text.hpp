// The stable part of every prompt of a hotspot in words: device, toolchain, entry, sizes, tolerance,
// original. Equal for every request of a hotspot on a platform: nothing here may depend on rank, round or
// time.
#pragma once

#include "coordinator/prompts/prompt_input.hpp"
#include "coordinator/prompts/prompt_template.hpp"

namespace noctune {

PromptValues stable_values(const PromptInput& input);

}  // namespace noctune
