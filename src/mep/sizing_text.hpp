// Numbers of sizing as people read them.
#pragma once

#include <map>
#include <string>

namespace noctune {

std::string seconds_text(double seconds);                               // "12 us", "1.4 ms", "3 s"
std::string sizes_text(const std::map<std::string, long long>& sizes);  // "m=128 n=96"

}  // namespace noctune
