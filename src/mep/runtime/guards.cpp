#include "guards.hpp"

#include <cstdint>

#include "random.hpp"

namespace noctune {
namespace {

struct Damage {
  std::size_t bytes = 0, nearest = 0;
};

std::string worded(const Damage& damage, const char* where) {
  if (damage.bytes == 0) return {};
  return std::to_string(damage.bytes) + (damage.bytes == 1 ? " byte" : " bytes") + " changed " + where +
         ", the nearest " + std::to_string(damage.nearest) + " bytes away";
}

bool intact(char byte, std::size_t position) {
  return static_cast<unsigned char>(byte) == guard_pattern(position);
}

}  // namespace

unsigned char guard_pattern(std::size_t position) {
  const std::uint32_t word =
      0x7ff80000u | static_cast<std::uint32_t>(draw(0x6e6f6374, position / 4) & 0xffff);
  return static_cast<unsigned char>(word >> (8 * (position % 4)));
}

void fill_guard(char* zone, std::size_t bytes, std::size_t first) {
  for (std::size_t i = 0; i < bytes; ++i) zone[i] = static_cast<char>(guard_pattern(first + i));
}

std::string guard_damage(const char* front, std::size_t front_bytes, const char* rear, std::size_t rear_bytes,
                         std::size_t rear_first) {
  Damage before, behind;
  for (std::size_t i = 0; i < front_bytes; ++i) {
    if (intact(front[i], i)) continue;
    ++before.bytes;
    before.nearest = front_bytes - 1 - i;
  }
  for (std::size_t i = 0; i < rear_bytes; ++i) {
    if (intact(rear[i], rear_first + i)) continue;
    if (behind.bytes++ == 0) behind.nearest = i;
  }
  const std::string ahead = worded(before, "in front of its start"), after = worded(behind, "behind its end");
  return ahead.empty() || after.empty() ? ahead + after : ahead + "; " + after;
}

}  // namespace noctune
