// Loops over the elements of the entry's buffers: OpenMP threads with a static schedule on the host, so that
// the first touch of a page is by the thread that will most likely use it; a kernel on a GPU. Bodies are
// taken by value and must be NOCTUNE_BOTH.
#pragma once

#include "device.hpp"
#if NOCTUNE_GPU
#include "gpu.hpp"
#endif

namespace noctune {

// What parts of a sum are joined by; `add` must not care for the order.
struct BitSum {
  std::uint64_t bits = 0;
  NOCTUNE_BOTH void add(const BitSum& other) { bits += other.bits; }
};

#if NOCTUNE_GPU

constexpr unsigned loop_threads = 256, most_loop_blocks = 2048;

inline unsigned loop_blocks(long long count) {
  const long long wanted = (count + loop_threads - 1) / loop_threads;
  return wanted < most_loop_blocks ? static_cast<unsigned>(wanted) : most_loop_blocks;
}

template <class Body>
__global__ void each_index(long long count, Body body) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    body(i);
}

template <class Body>
void for_each_index(long long count, int, Body body) {
  if (count <= 0) return;
  each_index<<<loop_blocks(count), loop_threads>>>(count, body);
  must(NOCTUNE_API(GetLastError)(), "at a launch of the driver");
}

// One partial sum a block; the tree within a block is fixed, so the same data give the same sum.
template <class Sum, class Body>
__global__ void sum_of_blocks(long long count, Body body, Sum* sums) {
  alignas(8) __shared__ unsigned char room[loop_threads * sizeof(Sum)];  // HIP initialises no shared objects
  Sum* const parts = reinterpret_cast<Sum*>(room);
  Sum own;
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    body(i, own);
  parts[threadIdx.x] = own;
  for (unsigned half = loop_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x].add(parts[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

// body(i, sum) adds element i.
template <class Sum, class Body>
Sum sum_over(long long count, int, Body body) {
  static DeviceMemory room;
  Sum total;
  if (count <= 0) return total;
  if (!room.data() && !room.allocate(most_loop_blocks * 64))
    must(NOCTUNE_API(ErrorMemoryAllocation), "in a sum of the driver");
  static_assert(sizeof(Sum) <= 64, "partial sums must fit their room");
  Sum parts[most_loop_blocks];
  const unsigned blocks = loop_blocks(count);
  sum_of_blocks<<<blocks, loop_threads>>>(count, body, reinterpret_cast<Sum*>(room.data()));
  must(NOCTUNE_API(GetLastError)(), "at a launch of the driver");
  copy_to_host(parts, room.data(), blocks * sizeof(Sum));
  for (unsigned block = 0; block < blocks; ++block) total.add(parts[block]);
  return total;
}

#else

template <class Body>
void for_each_index(long long count, int threads, Body body) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (long long i = 0; i < count; ++i) body(i);
}

// body(i, sum) adds element i.
template <class Sum, class Body>
Sum sum_over(long long count, int threads, Body body) {
  Sum total;
#pragma omp parallel num_threads(threads)
  {
    Sum own;
#pragma omp for schedule(static) nowait
    for (long long i = 0; i < count; ++i) body(i, own);
#pragma omp critical(noctune_sum)
    total.add(own);
  }
  return total;
}

#endif

}  // namespace noctune
