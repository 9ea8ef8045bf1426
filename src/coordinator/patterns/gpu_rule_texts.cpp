#include "coordinator/patterns/gpu_rule_texts.hpp"

namespace noctune {
namespace {

RuleText on_gpus(const std::string& what, const std::string& pitfalls) {
  return {{{"backend", "cuda|hip"}}, what, pitfalls};
}

}  // namespace

const std::map<std::string, RuleText>& gpu_rule_texts() {
  static const std::map<std::string, RuleText> all = {
      {"accumulate", on_gpus("Where a thread's loop updates one element again and again, sum into a register "
                             "and store it once.",
                             "The element must not be read or written in any other way inside the loop.")},
      {"elements",
       on_gpus("Give each thread one element instead of a loop that steps by the whole grid, as a start for "
               "wide loads, other shapes and sums by block.",
               "By itself it may be slower; what an iteration writes must be its own.")},
      {"register-tiles",
       on_gpus(
           "In a product of matrices, let a block copy slices of both factors to shared memory and each "
           "thread "
           "keep several rows and columns of sums in registers.",
           "Large register tiles lower the occupancy or spill; small matrices leave multiprocessors idle.")},
      {"stage",
       on_gpus("Copy what all threads of a block read in the same order to shared memory, a block's worth "
               "at a time.",
               "All threads must reach the barriers; a cache that already serves the reads leaves no gain.")},
      {"transpose-tiles",
       on_gpus("Move a tile through shared memory, so that both reads and writes run along memory.",
               "Pad the tile by one column, else its banks collide.")},
      {"warp-rows",
       on_gpus(
           "Where each thread sums along its own row or stretch of memory, give it to a group of lanes that "
           "read neighbours together and add up by shuffles; a thread that is alone becomes a block.",
           "Rows shorter than the group leave lanes idle; the order of the sum changes.")},
      {"thread-rows",
       on_gpus(
           "Where each thread sums down its own column, or over all bodies, and there are few of them, deal "
           "the "
           "loop out among several rows of threads of a block and let their sums meet in shared memory.",
           "Short loops gain nothing; all threads must reach the barrier; the order of the sum changes.")},
      {"block-sum",
       on_gpus(
           "Add up within a block by warp shuffles and do one atomic per block instead of one per thread.",
           "Every thread of a warp must take part in the shuffles; the order of the sum changes.")},
      {"private-bins",
       on_gpus("Count in shared memory and add the block's counts to device memory at the end.",
               "The bins must fit shared memory; many blocks with many bins pay more for adding up than they "
               "save.")},
      {"vector-loads",
       on_gpus("Read and write several neighbouring elements per thread with 16-byte loads and stores.",
               "Pointers must be aligned to 16 bytes, and the last elements need a scalar path.")},
      {"stride",
       on_gpus(
           "Let every thread do several elements in a loop that steps by the whole grid, with fewer blocks.",
           "Too few blocks leave multiprocessors idle.")},
      {"block", on_gpus("Try other block shapes with the grid that belongs to them.",
                        "Shared arrays and indices that assume the old block must change with it.")},
      {"reciprocal-root",
       on_gpus("Where a kernel only divides by a square root, multiply by its reciprocal (rsqrtf, rsqrt), "
               "which is one instruction.",
               "Off by a unit or two in the last place; nothing is gained where memory is the limit.")},
      {"bounds",
       on_gpus("Tell the compiler the block size in use, and how many blocks a multiprocessor should hold.",
               "More blocks mean fewer registers and maybe spills; HIP counts waves per SIMD instead of "
               "blocks.")},
      {"read-only", on_gpus("Mark pointers const and __restrict__, so that loads may move over stores and "
                            "take the read-only path.",
                            "Wrong as soon as two of them overlap.")},
      {"unroll-loops",
       on_gpus("Unroll inner loops by a small factor, so that several loads are under way at once.",
               "Large factors cost registers and instruction cache.")},
  };
  return all;
}

}  // namespace noctune
