// The lines of a library file: one JSON object each, {"pattern": {...}}, {"evidence": {...}} or
// {"trial": {...}}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "coordinator/patterns/pattern_state.hpp"

namespace noctune {

// Longer lines are not ours.
inline constexpr std::size_t longest_line = 64 << 10;

std::string line_of(const Pattern& pattern);  // with its line break
std::string line_of(const PatternEvidence& evidence);
std::string line_of(const PatternTrial& trial);

// Adds every whole line of a file to the state. What follows the last line break is torn and ignored; empty
// lines and lines that begin with // are skipped; malformed ones are left out and described in `problems`.
void read_lines(std::string_view text, const std::string& file, PatternState& state,
                std::vector<std::string>& problems);

}  // namespace noctune
