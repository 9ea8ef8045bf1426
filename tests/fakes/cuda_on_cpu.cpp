// A fiber is started once by setcontext and then changed by _setjmp and _longjmp, which ask the kernel for
// nothing: shuffles of many threads would otherwise take minutes.
#include "fakes/cuda_on_cpu.hpp"

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

dim3 gridDim, blockDim, blockIdx, threadIdx;

namespace cuda_on_cpu {

unsigned char slots[most_threads][8];

namespace {

constexpr std::size_t stack_bytes = 64 * 1024;

enum class State { ready, at_block_barrier, at_lanes_barrier, done };

struct Fiber {
  ucontext_t beginning;
  jmp_buf middle;
  bool begun = false;
  dim3 thread;
  State state = State::ready;
  std::size_t width = 1;  // of the group of lanes that it waits for
};

Order order = Order::forward;
jmp_buf scheduler;
std::vector<Fiber> all_fibers(most_threads);  // they stay where they are
std::size_t current = 0, threads = 0;
std::vector<void*> poisoned;  // shared memory of the present block
const std::function<void()>* body = nullptr;

void wait_as(State state) {
  all_fibers[current].state = state;
  if (_setjmp(all_fibers[current].middle) == 0) _longjmp(scheduler, 1);
}

// The same fiber serves the thread of its number in every block.
void run_threads() {
  while (true) {
    (*body)();
    wait_as(State::done);
  }
}

void begin(std::size_t i) {
  static const std::unique_ptr<char[]> stacks(new char[most_threads * stack_bytes]);
  Fiber& fiber = all_fibers[i];
  fiber.begun = true;
  getcontext(&fiber.beginning);
  fiber.beginning.uc_stack.ss_sp = stacks.get() + i * stack_bytes;
  fiber.beginning.uc_stack.ss_size = stack_bytes;
  fiber.beginning.uc_link = nullptr;
  makecontext(&fiber.beginning, run_threads, 0);
  setcontext(&fiber.beginning);
}

void start(dim3 block) {
  threads = std::size_t{block.x} * block.y * block.z;
  for (std::size_t i = 0; i < threads; ++i) {
    const auto number = static_cast<unsigned int>(i);
    all_fibers[i].state = State::ready;
    all_fibers[i].thread = dim3(number % block.x, number / block.x % block.y, number / block.x / block.y);
  }
}

void advance(std::size_t i) {
  Fiber& fiber = all_fibers[i];
  if (fiber.state != State::ready) return;
  current = i;
  threadIdx = fiber.thread;
  if (_setjmp(scheduler) != 0) return;
  if (fiber.begun) _longjmp(fiber.middle, 1);
  begin(i);
}

bool all_are(State state, std::size_t first, std::size_t count) {
  const auto from = all_fibers.begin() + static_cast<std::ptrdiff_t>(first);
  return std::all_of(from, from + static_cast<std::ptrdiff_t>(count),
                     [&](const Fiber& fiber) { return fiber.state == state; });
}

// Lets the threads from `first` on go if all of them wait; whether they did.
bool release(State state, std::size_t first, std::size_t count) {
  if (!all_are(state, first, count)) return false;
  for (std::size_t i = first; i < first + count; ++i) all_fibers[i].state = State::ready;
  return true;
}

// The groups of neighbours that wait, each of the width that its first thread asked for.
bool release_groups(std::size_t first, std::size_t count) {
  bool any = false;
  for (std::size_t i = first; i < first + count;) {
    const bool waits = all_fibers[i].state == State::at_lanes_barrier;
    const std::size_t width = waits ? std::min(all_fibers[i].width, first + count - i) : 1;
    any |= release(State::at_lanes_barrier, i, width);
    i += width;
  }
  return any;
}

// The i-th of `count` in the order that is set.
std::size_t in_order(std::size_t i, std::size_t count) {
  return order == Order::forward ? i : count - 1 - i;
}

// 32 threads as far as they come without the others of their block.
void run_lanes(std::size_t first) {
  const std::size_t count = std::min<std::size_t>(lanes, threads - first);
  do {
    for (std::size_t i = 0; i < count; ++i) advance(first + in_order(i, count));
  } while (release_groups(first, count));
}

void run_block(dim3 block) {
  poisoned.clear();
  start(block);
  const std::size_t groups = (threads + lanes - 1) / lanes;
  while (true) {
    for (std::size_t i = 0; i < groups; ++i) run_lanes(lanes * in_order(i, groups));
    if (all_are(State::done, 0, threads)) return;
    if (release(State::at_block_barrier, 0, threads)) continue;
    for (Fiber& fiber : all_fibers) fiber.begun = false;  // those in the middle of it never come back
    throw std::runtime_error("a barrier or shuffle that some threads never reach");
  }
}

}  // namespace

void set_order(Order wanted) {
  order = wanted;
}

void launch(const std::function<void()>& kernel, dim3 grid, dim3 block, std::size_t, mep_stream_t) {
  if (std::size_t{block.x} * block.y * block.z > most_threads || grid.x * grid.y * grid.z == 0)
    throw std::runtime_error("a launch that no device would take");
  body = &kernel;
  gridDim = grid;
  blockDim = block;
  for (unsigned int z = 0; z < grid.z; ++z) {
    for (unsigned int y = 0; y < grid.y; ++y) {
      for (unsigned int x = 0; x < grid.x; ++x) {
        blockIdx = dim3(x, y, z);
        run_block(block);
      }
    }
  }
}

void begin_shared(void* at, std::size_t bytes) {
  if (std::find(poisoned.begin(), poisoned.end(), at) != poisoned.end()) return;
  poisoned.push_back(at);
  std::memset(at, 0xFF, bytes);  // NaN as a number
}

void block_barrier() {
  wait_as(State::at_block_barrier);
}

void lanes_barrier(unsigned int width) {
  all_fibers[current].width = width;
  wait_as(State::at_lanes_barrier);
}

unsigned int thread_number() {
  return static_cast<unsigned int>(current);
}

}  // namespace cuda_on_cpu
