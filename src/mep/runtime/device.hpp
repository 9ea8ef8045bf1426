// What the entry runs on, behind one set of names: the host itself or, where nvcc or hipcc builds the driver,
// a GPU. Loops, sums and copies over the entry's buffers go through here, so that the rest of the driver is
// the same text on every backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "both.hpp"
#include "report.hpp"

namespace noctune {

class Device {
 public:
  // On a GPU: opens its context and makes the stream that the entry gets.
  explicit Device(Report& report);
  Device(const Device&) = delete;

  // Says in the report what the device is; the host is known without.
  void describe(Report& report) const;
  // Waits for all that calls of the plugin started. An error that the device reports then is the plugin's,
  // and ends the run.
  void settle() const;
  // What a profiler is to look at lies between these two.
  void start_profile() const;
  void stop_profile() const;
};

// Plain memory where the entry's buffers are.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  ~DeviceMemory();
  bool allocate(std::size_t bytes);
  char* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

// From here on what goes wrong on the device is the plugin's fault.
void blame_plugin();

void copy_to_device(void* to, const void* from, std::size_t bytes);
void copy_to_host(void* to, const void* from, std::size_t bytes);

// The bytes where the host can read them: as they lie, or a copy in `room`.
const char* on_host(const char* data, std::size_t bytes, std::vector<char>& room);

// Lets `make(T*)` fill room on the host, and puts that where `data` lies.
template <class T, class Make>
void make_on_host(T* data, std::size_t count, Make&& make) {
#if NOCTUNE_GPU
  const std::unique_ptr<T[]> room(new T[count]);
  make(room.get());
  copy_to_device(data, room.get(), count * sizeof(T));
#else
  (void)count;
  make(data);
#endif
}

// Lets `change(T*)` change on the host what lies at `data`.
template <class T, class Change>
void change_on_host(T* data, std::size_t count, Change&& change) {
  make_on_host(data, count, [&](T* values) {
    if (values != data) copy_to_host(values, data, count * sizeof(T));
    change(values);
  });
}

}  // namespace noctune
