// A buffer of the entry between guard zones: 4 KiB of pattern on both sides, the rear one right behind the
// last byte, then pages nobody may touch. The pattern reads as NaN in every floating-point width, so stray
// reads show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace noctune {

class GuardedBuffer {
 public:
  GuardedBuffer() = default;
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&&) = delete;
  GuardedBuffer(const GuardedBuffer&) = delete;
  ~GuardedBuffer();

  // Data starts `offset` bytes behind a 64-byte line. False when there is no memory.
  bool allocate(std::size_t bytes, std::size_t offset);
  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  // What the guard zones say about writes outside; empty when they are intact.
  std::string damage() const;

 private:
  char* map_ = nullptr;  // the whole mapping
  std::size_t map_size_ = 0;
  char* first_ = nullptr;  // front guard's first byte
  char* last_ = nullptr;   // one past the rear guard
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace noctune
