#include "base/text.hpp"

#include <cmath>
#include <cstdio>

namespace noctune {

std::string fixed(double value, int digits) {
  char out[64];
  std::snprintf(out, sizeof out, "%.*f", digits, value);
  return out;
}

std::string percent(double fraction) {
  return fixed(100 * fraction, 1) + " %";
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  const double size = std::abs(seconds);
  if (size < 1e-6) return fixed(seconds * 1e9, 0) + " ns";
  if (size < 1e-3) return fixed(seconds * 1e6, size < 1e-4 ? 2 : 1) + " us";
  if (size < 1) return fixed(seconds * 1e3, size < 0.1 ? 2 : 1) + " ms";
  if (size < 120) return fixed(seconds, size < 10 ? 2 : 1) + " s";
  const long long minutes = std::llround(seconds / 60);
  if (minutes < 60) return std::to_string(minutes) + " min";
  char rest[24];
  std::snprintf(rest, sizeof rest, "%02lld", minutes % 60);
  return std::to_string(minutes / 60) + " h " + rest + " min";
}

std::string bytes_text(double bytes) {
  if (bytes < 1e3) return fixed(bytes, 0) + " B";
  if (bytes < 1e6) return fixed(bytes * 1e-3, 1) + " kB";
  if (bytes < 1e9) return fixed(bytes * 1e-6, 1) + " MB";
  return fixed(bytes * 1e-9, 2) + " GB";
}

double parse_duration(const std::string& text) {
  double total = 0;
  std::size_t start = 0;
  for (int parts = 0; parts < 3; ++parts) {
    const auto colon = text.find(':', start);
    const std::string part = text.substr(start, colon - start);
    if (part.empty() || part.find_first_not_of("0123456789") != std::string::npos || part.size() > 7)
      return -1;
    total = total * 60 + std::stod(part);
    if (colon == std::string::npos) return total;
    start = colon + 1;
  }
  return -1;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

}  // namespace noctune
