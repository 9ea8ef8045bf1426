#include "coordinator/rules/gpu/gpu_rules.hpp"

namespace noctune::rules::gpu {

std::vector<Rule> gpu_rules() {
  return {
      {"elements", "an element per thread", "parallelism", "the device, not the loop, shares out the work",
       elements},
      {"accumulate", "accumulate in registers on GPUs", "memory access",
       "the running sum no longer goes through memory", accumulate},
      {"register-tiles", "shared-memory and register tiles", "tiling",
       "slices in shared memory and registers reuse every loaded value many times", register_tiles},
      {"stage", "staging through shared memory", "tiling",
       "a block reads what all its threads need only once", stage_shared},
      {"transpose-tiles", "transpose through shared memory", "memory access",
       "reads and writes both run along memory", transpose},
      {"warp-rows", "a group of lanes per row", "memory access",
       "neighbouring lanes read neighbouring elements and add up by shuffles", warp_rows},
      {"thread-rows", "a loop dealt out to rows of threads", "parallelism",
       "more threads keep the device busy and still read together", thread_rows},
      {"block-sum", "warp-shuffle reduction", "algorithm",
       "a block does one atomic instead of one per thread", block_sum},
      {"private-bins", "histogram in shared memory", "algorithm", "most atomics stay inside a multiprocessor",
       private_bins},
      {"vector-loads", "vectorised loads", "memory access", "one instruction moves 16 bytes", vector_loads},
      {"stride", "several elements per thread", "parallelism",
       "fewer blocks do more work each and start less often", grid_stride},
      {"block", "block shape", "parallelism", "another block shape fits the device better", block_shape},
      {"reciprocal-root", "reciprocal square roots", "arithmetic",
       "one instruction takes the place of an exact root and a division", reciprocal_root},
      {"bounds", "launch bounds", "compiler", "registers are allotted for the block size in use",
       launch_bounds},
      {"read-only", "read-only and restrict pointers", "compiler",
       "loads may be reordered and take the read-only path", read_only},
      {"unroll-loops", "loop unrolling on the GPU", "arithmetic",
       "inner loops lose their overhead and load ahead", unroll_loops},
  };
}

}  // namespace noctune::rules::gpu
