// A buffer of the entry, guarded: on the host between pages nobody may touch, on a GPU between guard zones
// alone, since there every allocation is part of larger pages.
#pragma once

#include "buffer.hpp"
#include "device.hpp"

namespace noctune {

#if NOCTUNE_GPU

class EntryBuffer {
 public:
  // Data starts where a device allocation would: nobody hands out less aligned ones on a GPU.
  bool allocate(std::size_t bytes, long long offset);
  void name(const char*) {}
  char* data() const { return memory_.data() ? memory_.data() + guard : nullptr; }
  std::size_t size() const { return size_; }
  // What the guard zones say about writes outside; empty when they are intact.
  std::string damage() const;

 private:
  static constexpr std::size_t guard = 4096;
  DeviceMemory memory_;
  std::size_t size_ = 0;
};

#else

using EntryBuffer = GuardedBuffer;

#endif

}  // namespace noctune
