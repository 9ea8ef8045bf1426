#include "buffer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "command.hpp"
#include "random.hpp"

// There where the driver was linked with AddressSanitizer: then a stray access is reported with its line.
extern "C" void __asan_poison_memory_region(const volatile void*, std::size_t) __attribute__((weak));
extern "C" void __asan_unpoison_memory_region(const volatile void*, std::size_t) __attribute__((weak));

namespace noctune {
namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t fence_bytes = 1 << 20;  // pages nobody may touch, before and behind: only address space

// The pattern by position; 0x7ff8.... is a NaN for 64, 32 and 16-bit floats.
unsigned char pattern(std::size_t position) {
  const std::uint32_t word =
      0x7ff80000u | static_cast<std::uint32_t>(draw(0x6e6f6374, position / 4) & 0xffff);
  return static_cast<unsigned char>(word >> (8 * (position % 4)));
}

struct Damage {
  std::size_t bytes = 0, nearest = 0;
};

std::string worded(const Damage& damage, const char* where) {
  if (damage.bytes == 0) return {};
  return std::to_string(damage.bytes) + (damage.bytes == 1 ? " byte" : " bytes") + " changed " + where +
         ", the nearest " + std::to_string(damage.nearest) + " bytes away";
}

}  // namespace

GuardedBuffer::~GuardedBuffer() {
  if (map_ && __asan_unpoison_memory_region) __asan_unpoison_memory_region(map_, map_size_);
  if (map_) munmap(map_, map_size_);
}

bool GuardedBuffer::allocate(std::size_t bytes, long long offset) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const bool at_end = offset == at_page_end;
  const std::size_t least_front = guard_bytes + (at_end ? 0 : static_cast<std::size_t>(offset) % 64);
  const std::size_t rear = at_end ? 0 : guard_bytes;
  const std::size_t inside = (least_front + bytes + rear + page - 1) / page * page;
  const std::size_t front = at_end ? inside - bytes : least_front;
  if (bytes > (std::size_t{1} << 46)) return false;
  void* map = mmap(nullptr, inside + 2 * fence_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return false;
  map_ = static_cast<char*>(map);
  map_size_ = inside + 2 * fence_bytes;
  first_ = map_ + fence_bytes;
  last_ = first_ + inside;
  if (mprotect(first_, inside, PROT_READ | PROT_WRITE) != 0) return false;
  data_ = first_ + front;
  size_ = bytes;
  for (char* at = first_; at != data_; ++at)
    *at = static_cast<char>(pattern(static_cast<std::size_t>(at - first_)));
  for (char* at = data_ + size_; at != last_; ++at)
    *at = static_cast<char>(pattern(static_cast<std::size_t>(at - first_)));
  if (__asan_poison_memory_region) {
    __asan_poison_memory_region(first_, static_cast<std::size_t>(data_ - first_));
    __asan_poison_memory_region(data_ + size_, static_cast<std::size_t>(last_ - (data_ + size_)));
  }
  return true;
}

std::string GuardedBuffer::damage() const {
  const auto intact = [this](const char* at) {
    return static_cast<unsigned char>(*at) == pattern(static_cast<std::size_t>(at - first_));
  };
  Damage before, behind;
  for (const char* at = first_; at != data_; ++at) {
    if (intact(at)) continue;
    ++before.bytes;
    before.nearest = static_cast<std::size_t>(data_ - 1 - at);
  }
  for (const char* at = data_ + size_; at != last_; ++at) {
    if (intact(at)) continue;
    if (behind.bytes++ == 0) behind.nearest = static_cast<std::size_t>(at - (data_ + size_));
  }
  const std::string front = worded(before, "in front of its start"), rear = worded(behind, "behind its end");
  return front.empty() || rear.empty() ? front + rear : front + "; " + rear;
}

}  // namespace noctune
