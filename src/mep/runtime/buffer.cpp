#include "buffer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "command.hpp"
#include "guards.hpp"

// There where the driver was linked with AddressSanitizer: then a stray access is reported with its line.
extern "C" void __asan_poison_memory_region(const volatile void*, std::size_t) __attribute__((weak));
extern "C" void __asan_unpoison_memory_region(const volatile void*, std::size_t) __attribute__((weak));

namespace noctune {
namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t fence_bytes = 1 << 20;  // pages nobody may touch, before and behind: only address space

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
  fill_guard(first_, static_cast<std::size_t>(data_ - first_), 0);
  char* const rear_zone = data_ + size_;
  fill_guard(rear_zone, static_cast<std::size_t>(last_ - rear_zone),
             static_cast<std::size_t>(rear_zone - first_));
  if (__asan_poison_memory_region) {
    __asan_poison_memory_region(first_, static_cast<std::size_t>(data_ - first_));
    __asan_poison_memory_region(data_ + size_, static_cast<std::size_t>(last_ - (data_ + size_)));
  }
  return true;
}

std::string GuardedBuffer::damage() const {
  const char* const rear = data_ + size_;
  return guard_damage(first_, static_cast<std::size_t>(data_ - first_), rear,
                      static_cast<std::size_t>(last_ - rear), static_cast<std::size_t>(rear - first_));
}

}  // namespace noctune
