// The emulation itself: it must see what would go wrong on a device.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "fakes/cuda_on_cpu.hpp"

namespace noctune {
namespace {

using cuda_on_cpu::launch;
using cuda_on_cpu::Order;

TEST(CudaOnCpu, every_thread_of_every_block_runs_once) {
  std::vector<int> seen(2 * 3 * 4 * 5, 0);
  launch([&] { ++seen[((blockIdx.y * gridDim.x + blockIdx.x) * 5 + threadIdx.y) * 4 + threadIdx.x]; },
         dim3(2, 3), dim3(4, 5), 0, nullptr);
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

TEST(CudaOnCpu, a_barrier_that_some_threads_never_reach_is_found) {
  const auto kernel = [] {
    if (threadIdx.x > 0) __syncthreads();
  };
  EXPECT_THROW(launch(kernel, 1, 64, 0, nullptr), std::runtime_error);
}

TEST(CudaOnCpu, a_shuffle_that_some_lanes_never_reach_is_found) {
  const auto kernel = [] {
    if (threadIdx.x % 32 < 16) __shfl_down_sync(0xffffffffu, 1, 1);
  };
  EXPECT_THROW(launch(kernel, 1, 64, 0, nullptr), std::runtime_error);
}

// Each thread reads its neighbour's number without a barrier in between.
int neighbours_missed(Order order) {
  cuda_on_cpu::set_order(order);
  std::vector<int> numbers(66, 0);
  int missed = 0;
  launch(
      [&] {
        numbers[threadIdx.x + 1] = 1;
        missed += threadIdx.x < 63 && numbers[threadIdx.x + 2] == 0;
      },
      1, 64, 0, nullptr);
  return missed;
}

TEST(CudaOnCpu, a_missing_barrier_shows_in_one_of_the_orders) {
  EXPECT_EQ(neighbours_missed(Order::forward), 63);
  EXPECT_EQ(neighbours_missed(Order::backward), 0);
}

TEST(CudaOnCpu, shared_memory_holds_nothing_of_earlier_blocks) {
  std::vector<int> met;
  const auto kernel = [&] {
    __shared__ int kept;
    cuda_on_cpu::begin_shared(&kept, sizeof kept);
    met.push_back(kept);
    kept = 7;
  };
  launch(kernel, 2, 1, 0, nullptr);
  EXPECT_EQ(met, std::vector<int>({-1, -1}));
}

TEST(CudaOnCpu, a_shuffle_brings_the_number_of_a_later_lane) {
  std::vector<int> got(64, -1);
  launch([&] { got[threadIdx.x] = __shfl_down_sync(0xffffffffu, static_cast<int>(threadIdx.x), 3); }, 1, 64,
         0, nullptr);
  EXPECT_EQ(got[0], 3);
  EXPECT_EQ(got[28], 31);
  EXPECT_EQ(got[29], 29) << "beyond the last lane it stays";
  EXPECT_EQ(got[32], 35);
}

}  // namespace
}  // namespace noctune
