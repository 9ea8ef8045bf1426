#include "mep/sizing_text.hpp"

#include <cstdio>

namespace noctune {
namespace {

std::string formatted(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string seconds_text(double seconds) {
  return seconds < 1e-3 ? formatted("%.3g us", seconds * 1e6)
         : seconds < 1  ? formatted("%.3g ms", seconds * 1e3)
                        : formatted("%.3g s", seconds);
}

std::string sizes_text(const std::map<std::string, long long>& sizes) {
  std::string out;
  for (const auto& [name, value] : sizes)
    out += (out.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return out;
}

}  // namespace noctune
