// Names the buffer whose fence a plugin ran into, before the process ends: a crash that says where.
#pragma once

#include <cstddef>
#include <string>

#include "report.hpp"

namespace noctune {

// While it lives, an access to the pages around a buffer ends the process with a report that says so. The
// name must outlive it.
class Fence {
 public:
  Fence(const char* name, const char* map, std::size_t map_size, const char* data, std::size_t size);
  Fence(const Fence&) = delete;
  ~Fence();

 private:
  friend std::string place_near_buffer(const char* at);
  const char *name_, *map_, *data_;
  std::size_t map_size_, size_;
  Fence* next_;
};

// "outside of y, 8 bytes behind its end"; empty where no buffer is near.
std::string place_near_buffer(const char* at);

// From here on, whatever handlers the plugin has set. Everything else that faults ends the process as it
// would have.
void watch_fences(Report& report);

}  // namespace noctune
