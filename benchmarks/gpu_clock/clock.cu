// Two kernels timed as anybody would, without Noctune: cudaEvents around one call, or around many. The
// sources are those of the hotspots. Built and compared by scripts/gpu/clock_check.sh.
//   clock         prints "copy SECONDS TB/S", "short-hot SECONDS" and "short-cold SECONDS", each a call
//   clock ncu     launches short_kernel 20 times on a device that is kept busy in between
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef cudaStream_t mep_stream_t;
#include "../../hotspots/cuda/copy.cu"
#include "short.cu"

namespace {

constexpr int copied = 64 << 20, short_n = 67584;  // floats
constexpr int samples = 30, warm_up = 20;
constexpr int batch = 64;  // launches of one sample of the short kernel
constexpr std::size_t flushed = 512u << 20;

void must(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "clock: %s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

template <class T>
T* device_memory(std::size_t count) {
  T* out = nullptr;
  must(cudaMalloc(&out, count * sizeof(T)), "no memory");
  return out;
}

__global__ void fill(std::size_t n, float* x) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n; i += step)
    x[i] = static_cast<float>(i * 2654435761u % 16777216u) / 8388608.0f - 1.0f;
}

// Reads a byte of every sector, as the driver does: evicts what the caches hold and leaves no dirty lines.
__global__ void sweep(std::size_t sectors, const unsigned char* bytes, unsigned* sum) {
  unsigned mine = 0;
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < sectors;
       i += step)
    mine += bytes[32 * i];
  if (mine == 0xffffffffu) *sum = mine;
}

// Keeps the clock up while a profiler prepares a launch.
__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

class Clock {
 public:
  Clock() : buffer_(device_memory<unsigned char>(flushed)), sum_(device_memory<unsigned>(1)) {
    must(cudaEventCreate(&begin_), "no event");
    must(cudaEventCreate(&end_), "no event");
    must(cudaMemset(buffer_, 1, flushed), "the flush buffer");
  }

  // Median seconds of `calls()` over the samples, caches swept before each. The sweep is still running when
  // the events and the calls are queued, so launching costs the sample nothing.
  template <class Calls>
  double seconds(Calls calls) {
    std::vector<double> all;
    for (int i = 0; i < warm_up + samples; ++i) {
      sweep<<<8192, 256>>>(flushed / 32, buffer_, sum_);
      must(cudaEventRecord(begin_), "an event");
      calls();
      must(cudaEventRecord(end_), "an event");
      must(cudaGetLastError(), "a launch");
      must(cudaEventSynchronize(end_), "a call");
      float ms = 0;
      must(cudaEventElapsedTime(&ms, begin_, end_), "reading events");
      if (i >= warm_up) all.push_back(1e-3 * ms);
    }
    std::sort(all.begin(), all.end());
    return 0.5 * (all[samples / 2 - 1] + all[samples / 2]);
  }

 private:
  cudaEvent_t begin_{}, end_{};
  unsigned char* buffer_;
  unsigned* sum_;
};

void time_copy() {
  float* in = device_memory<float>(copied);
  float* out = device_memory<float>(copied);
  fill<<<8192, 256>>>(copied, in);
  Clock clock;
  const double seconds = clock.seconds([&] { copy(copied, in, out, nullptr); });
  std::printf("copy %.9g %.4f\n", seconds, 8e-12 * copied / seconds);
  std::fflush(stdout);
  must(cudaFree(in), "freeing");
  must(cudaFree(out), "freeing");
}

// `sets` of arguments taken in turns: one stays in the caches, many are met for the first time after a sweep.
double time_short(int sets) {
  float* in = device_memory<float>(static_cast<std::size_t>(sets) * short_n);
  float* out = device_memory<float>(static_cast<std::size_t>(sets) * short_n);
  fill<<<1024, 256>>>(static_cast<std::size_t>(sets) * short_n, in);
  Clock clock;
  const double seconds = clock.seconds([&] {
    for (int i = 0; i < batch; ++i) {
      const std::size_t at = static_cast<std::size_t>(i % sets) * short_n;
      short_entry(short_n, in + at, out + at, nullptr);
    }
  });
  return seconds / batch;
}

void launch_for_ncu() {
  float* in = device_memory<float>(short_n);
  float* out = device_memory<float>(short_n);
  fill<<<1024, 256>>>(short_n, in);
  for (int i = 0; i < 20; ++i) {
    spin<<<132, 256>>>(40000000);  // about 20 ms
    short_entry(short_n, in, out, nullptr);
    must(cudaGetLastError(), "a launch");
    must(cudaDeviceSynchronize(), "a call");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "ncu") == 0) {
    launch_for_ncu();
    return 0;
  }
  time_copy();
  std::printf("short-hot %.9g\n", time_short(1));
  std::fflush(stdout);
  std::printf("short-cold %.9g\n", time_short(batch));
  return 0;
}
