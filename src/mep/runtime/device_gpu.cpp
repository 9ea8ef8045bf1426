#include <cstring>
#include <string>

#include "device.hpp"
#include "entry.hpp"
#include "gpu.hpp"

namespace noctune {
namespace {

Report* device_report = nullptr;
GpuStream stream_of_entry = nullptr;
bool plugin_was_called = false;

}  // namespace

void must(GpuError error, const char* what) {
  if (error == NOCTUNE_API(Success)) return;
  const std::string text = NOCTUNE_API(GetErrorString)(error);
  if (plugin_was_called) device_report->refuse(Fault::plugin, "the device reports: " + text + ", " + what);
  device_report->refuse(Fault::driver, std::string("the device cannot be used: ") + text + ", " + what);
}

void blame_plugin() {
  plugin_was_called = true;
}

GpuStream gpu_stream() {
  return stream_of_entry;
}

void* entry_stream() {
  return stream_of_entry;
}

// The stream waits for work on the default stream and the other way round, so that the driver's own kernels,
// which go there, come before and after the entry's without waiting on the host.
Device::Device(Report& report) {
  device_report = &report;
  must(NOCTUNE_API(Free)(nullptr), "while it was opened");
  must(NOCTUNE_API(StreamCreate)(&stream_of_entry), "while a stream was made");
}

void Device::describe(Report& report) const {
  int device = 0;
  must(NOCTUNE_API(GetDevice)(&device), "while it was asked for");
  GpuProperties facts;
  must(NOCTUNE_API(GetDeviceProperties)(&facts, device), "while it was described");
#if defined(__HIP_PLATFORM_AMD__)
  const std::string whole = facts.gcnArchName, architecture = whole.substr(0, whole.find(':'));
#else
  const std::string architecture = "sm_" + std::to_string(facts.major) + std::to_string(facts.minor);
#endif
  char address[32] = "";
  (void)NOCTUNE_API(DeviceGetPCIBusId)(address, sizeof address, device);
  Payload out;
  out.text(facts.name).text(architecture).text(address);
  out.count(static_cast<std::uint64_t>(facts.l2CacheSize)).count(facts.totalGlobalMem);
  out.count(static_cast<std::uint64_t>(facts.multiProcessorCount))
      .count(static_cast<std::uint64_t>(facts.warpSize));
  report.frame(FrameType::device, out);
}

void Device::settle() const {
  must(NOCTUNE_API(GetLastError)(), "at a launch");
  must(NOCTUNE_API(DeviceSynchronize)(), "during a call");
}

// Without a profiler these say that there is none, which is no fault.
void Device::start_profile() const {
  settle();
  (void)NOCTUNE_API(ProfilerStart)();
  (void)NOCTUNE_API(GetLastError)();
}

void Device::stop_profile() const {
  settle();
  (void)NOCTUNE_API(ProfilerStop)();
  (void)NOCTUNE_API(GetLastError)();
}

DeviceMemory::~DeviceMemory() {
  if (data_) (void)NOCTUNE_API(Free)(data_);
}

bool DeviceMemory::allocate(std::size_t bytes) {
  void* got = nullptr;
  if (NOCTUNE_API(Malloc)(&got, bytes == 0 ? 1 : bytes) != NOCTUNE_API(Success)) {
    (void)NOCTUNE_API(GetLastError)();
    return false;
  }
  data_ = static_cast<char*>(got);
  size_ = bytes;
  return true;
}

void copy_to_device(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0)
    must(NOCTUNE_API(Memcpy)(to, from, bytes, NOCTUNE_API(MemcpyHostToDevice)), "while inputs were copied");
}

void copy_to_host(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0)
    must(NOCTUNE_API(Memcpy)(to, from, bytes, NOCTUNE_API(MemcpyDeviceToHost)), "while outputs were copied");
}

const char* on_host(const char* data, std::size_t bytes, std::vector<char>& room) {
  room.resize(bytes);
  copy_to_host(room.data(), data, bytes);
  return room.data();
}

}  // namespace noctune
