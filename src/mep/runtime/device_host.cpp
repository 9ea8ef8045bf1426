#include <cstdlib>
#include <cstring>

#include "device.hpp"
#include "entry.hpp"

namespace noctune {

Device::Device(Report&) {}

void Device::describe(Report&) const {}

void Device::settle() const {}

void Device::start_profile() const {}

void Device::stop_profile() const {}

void blame_plugin() {}

DeviceMemory::~DeviceMemory() {
  std::free(data_);
}

bool DeviceMemory::allocate(std::size_t bytes) {
  data_ = static_cast<char*>(std::malloc(bytes == 0 ? 1 : bytes));
  size_ = bytes;
  return data_ != nullptr;
}

void copy_to_device(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

void copy_to_host(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

const char* on_host(const char* data, std::size_t, std::vector<char>&) {
  return data;
}

void* entry_stream() {
  return nullptr;
}

}  // namespace noctune
