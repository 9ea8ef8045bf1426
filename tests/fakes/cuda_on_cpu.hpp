// The words of CUDA that sources of tests use, so that g++ compiles them and a test runs them without a GPU.
// Included in front of each source; cuda_on_cpu.cmake has turned its launches into calls of launch().
// Blocks run one after the other, the threads of a block as fibers that change at barriers and shuffles only.
// Not for timing.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>

#define __global__ static
#define __device__ static
#define __host__
#define __shared__ static
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned int x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
typedef struct CudaOnCpuStream* mep_stream_t;

extern dim3 gridDim, blockDim, blockIdx, threadIdx;

namespace cuda_on_cpu {

// In which order the threads of a block come on: a missing barrier shows in one of them.
enum class Order { forward, backward };
void set_order(Order order);

// Throws std::runtime_error where a barrier or shuffle is not reached by all threads it concerns.
void launch(const std::function<void()>& kernel, dim3 grid, dim3 block, std::size_t shared,
            mep_stream_t stream);

// Called behind each declaration of shared memory: the first thread of a block poisons it.
void begin_shared(void* at, std::size_t bytes);

void block_barrier();
void lanes_barrier(unsigned int width);  // of the `width` neighbours that the thread is one of

constexpr unsigned int lanes = 32, most_threads = 1024;
extern unsigned char slots[most_threads][8];  // what a thread shows the others of its lanes
unsigned int thread_number();

template <class T>
T shuffle_down(T value, unsigned int distance, unsigned int width) {
  static_assert(sizeof(T) <= sizeof(slots[0]), "a slot holds eight bytes");
  const unsigned int own = thread_number();
  std::memcpy(slots[own], &value, sizeof(T));
  lanes_barrier(width);
  if (own % width + distance < width) std::memcpy(&value, slots[own + distance], sizeof(T));
  lanes_barrier(width);
  return value;
}

}  // namespace cuda_on_cpu

inline void __syncthreads() {
  cuda_on_cpu::block_barrier();
}
inline void __threadfence() {}

template <class T>
T __shfl_down_sync(unsigned int, T value, unsigned int distance, int width = 32) {
  return cuda_on_cpu::shuffle_down(value, distance, static_cast<unsigned int>(width));
}

template <class T>
T atomicAdd(T* at, T value) {
  const T old = *at;
  *at = old + value;
  return old;
}
template <class T>
T __ldg(const T* at) {
  return *at;
}
inline unsigned int atomicInc(unsigned int* at, unsigned int highest) {
  const unsigned int old = *at;
  *at = old >= highest ? 0 : old + 1;
  return old;
}
inline float rsqrtf(float value) {
  return 1.0f / std::sqrt(value);
}
inline double rsqrt(double value) {
  return 1.0 / std::sqrt(value);
}
