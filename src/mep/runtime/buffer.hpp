// A buffer of the entry between guard zones: 4 KiB of pattern on both sides, the rear one right behind the
// last byte, then pages nobody may touch. The pattern reads as NaN in every floating-point width, so stray
// reads show. A buffer at the end of its pages has no rear zone: there a stray read ends the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "fences.hpp"

namespace noctune {

class GuardedBuffer {
 public:
  GuardedBuffer() = default;
  GuardedBuffer(const GuardedBuffer&) = delete;
  ~GuardedBuffer();

  // Data starts `offset` bytes behind a 64-byte line, or ends at the end of a page (at_page_end). False when
  // there is no memory.
  bool allocate(std::size_t bytes, long long offset);
  // Accesses to the fences are reported under this name, which must outlive the buffer.
  void name(const char* name) { fence_.emplace(name, map_, map_size_, data_, size_); }
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
  std::optional<Fence> fence_;
};

}  // namespace noctune
