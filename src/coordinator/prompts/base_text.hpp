// The volatile part that is about versions: the one to improve, others worth a look, offered patterns.
#pragma once

#include <string>

#include "coordinator/prompts/prompt_input.hpp"

namespace noctune {

// Which version, how fast, how far from the roofline. `base`: a candidate; K(0) where history has it not.
std::string base_words(const PromptInput& input, long long base);
// Its source in a fence; empty for K(0), which every prompt shows already.
std::string base_source(const PromptInput& input, long long base);
// At most two, each capped.
std::string references_text(const PromptInput& input, long long base);
// At most five.
std::string patterns_text(const PromptInput& input);

}  // namespace noctune
