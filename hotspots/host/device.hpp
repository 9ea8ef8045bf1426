// What a host program needs of the device it was built for: memory, copies, waiting. HOST_CUDA or HOST_HIP
// say that it is a GPU; without them memory is the host's and an entry takes no stream. Errors end the
// program with exit code 3.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "stream.hpp"

#if defined(HOST_CUDA) || defined(HOST_HIP)
#define HOST_GPU 1
// Declarations end in STREAM_PARAM and calls in STREAM_ARG: void f(int n, float* a STREAM_PARAM); f(n, a
// STREAM_ARG);
#define STREAM_PARAM , mep_stream_t stream
#define STREAM_ARG \
  , mep_stream_t {}
#else
#define STREAM_PARAM
#define STREAM_ARG
#endif

#if defined(HOST_CUDA)
#define GPU(call) cuda##call
#elif defined(HOST_HIP)
#define GPU(call) hip##call
#endif

namespace host {

#ifdef HOST_GPU
inline void require(GPU(Error_t) status, const char* what) {
  if (status == GPU(Success)) return;
  std::fprintf(stderr, "%s: %s\n", what, GPU(GetErrorString)(status));
  std::exit(3);
}
#endif

// Until everything that was launched has ended; an error of a launch shows here.
inline void wait_for_device() {
#ifdef HOST_GPU
  require(GPU(GetLastError)(), "launch");
  require(GPU(DeviceSynchronize)(), "run on the device");
#endif
}

// An array on the host, and on a GPU its copy there. Copies happen only where asked for.
template <class T>
class Buffer {
 public:
  std::vector<T> host;

  explicit Buffer(std::size_t elements, T value = T{}) : Buffer(std::vector<T>(elements, value)) {}
  explicit Buffer(std::vector<T> values) : host(std::move(values)) {
#ifdef HOST_GPU
    require(GPU(Malloc)(reinterpret_cast<void**>(&device_), bytes()), "allocate on the device");
    upload();
#endif
  }
  ~Buffer() {
#ifdef HOST_GPU
    (void)GPU(Free)(device_);
#endif
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // What an entry takes.
  T* data() {
#ifdef HOST_GPU
    return device_;
#else
    return host.data();
#endif
  }

  void upload() {
#ifdef HOST_GPU
    require(GPU(Memcpy)(device_, host.data(), bytes(), GPU(MemcpyHostToDevice)), "copy to the device");
#endif
  }
  void download() {
#ifdef HOST_GPU
    require(GPU(Memcpy)(host.data(), device_, bytes(), GPU(MemcpyDeviceToHost)), "copy from the device");
#endif
  }

 private:
  std::size_t bytes() const {
    return host.size() * sizeof(T);
  }
#ifdef HOST_GPU
  T* device_ = nullptr;
#endif
};

// Seconds from now until `work` and all that it launched have ended.
template <class Work>
double seconds_of(const Work& work) {
  wait_for_device();
  const auto begun = std::chrono::steady_clock::now();
  work();
  wait_for_device();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

}  // namespace host
