// Enough of CUDA to run a kernel on the CPU, block after block: each thread is a fiber that runs until it
// waits. Launches are written launch(shape(grid, block, ...), [&] { kernel(...); }).
#pragma once

#include <ucontext.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __global__ static
#define __device__ static
#define __host__
#define __shared__ static
#define __launch_bounds__(...)
#define __forceinline__ inline

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
struct alignas(16) double2 {
  double x, y;
};
using mep_stream_t = void*;

namespace cuda_on_cpu {

struct Shape {
  dim3 grid, block;
};
inline Shape shape(dim3 grid, dim3 block, std::size_t = 0, mep_stream_t = nullptr) {
  return {grid, block};
}

enum class State { ready, barrier, warp, done };

struct Thread {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(32 << 10);
  State state = State::ready;
  dim3 index;
  char slot[8] = {};  // what it shows the others of its warp
};

struct Machine {
  dim3 block_index, block_dim, grid_dim;
  std::vector<std::unique_ptr<Thread>> threads;
  std::size_t current = 0;
  ucontext_t scheduler;
  std::function<void()> kernel;
};
inline Machine& machine() {
  static Machine one;
  return one;
}
inline Thread& self() {
  return *machine().threads[machine().current];
}

inline void wait(State state) {
  Thread& thread = self();
  thread.state = state;
  swapcontext(&thread.context, &machine().scheduler);
}

inline void run_thread() {
  machine().kernel();
  wait(State::done);
}

// Lets those go on who wait for `state` once nobody of the range can still arrive.
inline bool release(std::size_t begin, std::size_t end, State state) {
  Machine& m = machine();
  bool any = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (m.threads[i]->state != state && m.threads[i]->state != State::done) return false;
    any |= m.threads[i]->state == state;
  }
  for (std::size_t i = begin; i < end; ++i)
    if (m.threads[i]->state == state) m.threads[i]->state = State::ready;
  return any;
}

// False where threads wait for each other for ever.
inline bool run_block() {
  Machine& m = machine();
  for (;;) {
    bool ran = false, open = false;
    for (m.current = 0; m.current < m.threads.size(); ++m.current)
      if (m.threads[m.current]->state == State::ready) {
        swapcontext(&m.scheduler, &self().context);
        ran = true;
      }
    for (std::size_t warp = 0; warp < m.threads.size(); warp += 32)
      ran |= release(warp, std::min(warp + 32, m.threads.size()), State::warp);
    ran |= release(0, m.threads.size(), State::barrier);
    for (const auto& thread : m.threads) open |= thread->state != State::done;
    if (!open) return true;
    if (!ran) return false;
  }
}

inline void start_block(dim3 block) {
  Machine& m = machine();
  m.threads.resize(block.x * block.y * block.z);
  for (std::size_t i = 0; i < m.threads.size(); ++i) {
    if (!m.threads[i]) m.threads[i] = std::make_unique<Thread>();
    Thread& thread = *m.threads[i];
    thread.state = State::ready;
    const unsigned int n = static_cast<unsigned int>(i);
    thread.index = {n % block.x, n / block.x % block.y, n / block.x / block.y};
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = thread.stack.size();
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, run_thread, 0);
  }
}

inline bool& deadlocked() {
  static bool one = false;
  return one;
}

inline void launch(const Shape& shape, std::function<void()> kernel) {
  Machine& m = machine();
  m.kernel = std::move(kernel);
  m.block_dim = shape.block;
  m.grid_dim = shape.grid;
  dim3& at = m.block_index;
  for (at.z = 0; at.z < shape.grid.z; ++at.z)
    for (at.y = 0; at.y < shape.grid.y; ++at.y)
      for (at.x = 0; at.x < shape.grid.x; ++at.x) {
        start_block(shape.block);
        if (!run_block()) deadlocked() = true;
      }
}

template <class T>
T shuffle_down(T value, int offset, int lanes) {
  Machine& m = machine();
  const std::size_t mine = m.current, lane = mine % static_cast<std::size_t>(lanes);
  std::memcpy(self().slot, &value, sizeof value);
  wait(State::warp);
  const std::size_t other = mine + static_cast<std::size_t>(offset);
  T result = value;
  if (lane + static_cast<std::size_t>(offset) < static_cast<std::size_t>(lanes) && other < m.threads.size())
    std::memcpy(&result, m.threads[other]->slot, sizeof result);
  wait(State::warp);
  return result;
}

}  // namespace cuda_on_cpu

#define threadIdx (cuda_on_cpu::self().index)
#define blockIdx (cuda_on_cpu::machine().block_index)
#define blockDim (cuda_on_cpu::machine().block_dim)
#define gridDim (cuda_on_cpu::machine().grid_dim)

inline void __syncthreads() {
  cuda_on_cpu::wait(cuda_on_cpu::State::barrier);
}
template <class T>
T __shfl_down_sync(unsigned int, T value, int offset, int lanes = 32) {
  return cuda_on_cpu::shuffle_down(value, offset, lanes);
}
template <class T>
T atomicAdd(T* place, T value) {
  const T old = *place;
  *place += value;
  return old;
}
template <class T>
T __ldg(const T* place) {
  return *place;
}
