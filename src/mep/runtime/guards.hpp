// The pattern of guard zones, by position, and what is said of zones that were written to.
#pragma once

#include <cstddef>
#include <string>

namespace noctune {

// A NaN for 64, 32 and 16-bit floats.
unsigned char guard_pattern(std::size_t position);

// `first` is the position of a zone's first byte.
void fill_guard(char* zone, std::size_t bytes, std::size_t first);

// The zones in front of and behind a buffer, at their positions; empty when both are intact.
std::string guard_damage(const char* front, std::size_t front_bytes, const char* rear, std::size_t rear_bytes,
                         std::size_t rear_first);

}  // namespace noctune
