#include "entry_buffer.hpp"
#include "guards.hpp"

namespace noctune {

bool EntryBuffer::allocate(std::size_t bytes, long long) {
  size_ = bytes;
  if (!memory_.allocate(bytes + 2 * guard)) return false;
  char zone[guard];
  fill_guard(zone, guard, 0);
  copy_to_device(memory_.data(), zone, guard);
  fill_guard(zone, guard, guard + bytes);
  copy_to_device(memory_.data() + guard + bytes, zone, guard);
  return true;
}

std::string EntryBuffer::damage() const {
  char front[guard], rear[guard];
  copy_to_host(front, memory_.data(), guard);
  copy_to_host(rear, memory_.data() + guard + size_, guard);
  return guard_damage(front, guard, rear, guard, guard + size_);
}

}  // namespace noctune
