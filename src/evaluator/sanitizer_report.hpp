// What AddressSanitizer and UndefinedBehaviorSanitizer print, read for a person. Pure text.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace noctune {

// Their settings for a driver, as KEY=VALUE: stop at the first finding, start no other program, keep little.
std::vector<std::string> sanitizer_environment();

// The first finding about the code under test, in words and with its line: "line 3 of the source: signed
// integer overflow: ...". Nothing where the output holds none, or only the sanitizer's own trouble (no room
// for its tables, a stack too small for its larger frames).
std::optional<std::string> sanitizer_finding(const std::string& output);

// The first finding of compute-sanitizer's memcheck, in its words: "Invalid __global__ write of size 4 bytes
// in f(int, float*)". Nothing where it found none.
std::optional<std::string> memcheck_finding(const std::string& output);

}  // namespace noctune
