#include "coordinator/patterns/rule_texts.hpp"

#include "coordinator/patterns/gpu_rule_texts.hpp"

namespace noctune {
namespace {

using When = std::map<std::string, std::string>;

When with_loops(When more) {
  more["backend"] = "openmp";
  return more;
}

const std::map<std::string, RuleText>& texts() {
  static const std::map<std::string, RuleText> all = {
      {"inline",
       {with_loops({{"loop_depth", ">=1"}}),
        "Put the body of a small static helper in the place of its calls, so that its loops can be fused, "
        "tiled and shared by threads together with the caller's.",
        "Arguments with side effects must be evaluated once. On its own it rarely gains: the compiler "
        "inlines "
        "too."}},
      {"localise",
       {with_loops({{"loop_depth", ">=1"}, {"reduction", "yes"}}),
        "Where a loop updates one array element again and again, sum into a local scalar and store it once "
        "after the loop.",
        "The element must not be read or written in any other way inside the loop."}},
      {"hoist",
       {with_loops({{"loop_depth", ">=1"}}),
        "Read what an inner loop does not change once, in front of the loop.",
        "A load in front of a loop that may not run must still be inside its buffer; too many hoisted values "
        "spill registers."}},
      {"interchange",
       {with_loops({{"loop_depth", ">=2"}}),
        "Exchange two nested loops so that the inner one walks along memory.",
        "Every dependence must keep its direction; the sums of the old inner loop then go through memory."}},
      {"rows",
       {with_loops({{"loop_depth", ">=2"}, {"reduction", "yes"}, {"transposed", "yes"}}),
        "Where the inner loop runs down a matrix column, split off the initialisation and exchange the sum's "
        "loops, so that the matrix is read row by row and a row of sums is updated.",
        "The row of sums is read and written more often; it should fit the first-level cache."}},
      {"fuse",
       {with_loops({{"loop_depth", ">=1"}}),
        "Join neighbouring loops with equal bounds that read the same arrays, so that data are fetched once.",
        "The second loop must not need what the first one computes later; large bodies run out of "
        "registers."}},
      {"jam",
       {with_loops({{"loop_depth", ">=2"}}),
        "Unroll an outer loop by a small factor and run its iterations side by side through the inner loop, "
        "so that values loaded once serve several rows.",
        "Factors beyond the registers spill; the remainder needs a loop of its own."}},
      {"tile",
       {with_loops({{"loop_depth", ">=2"}}),
        "Run a nest tile by tile, with loops over tiles outside, so that a tile's data stay in a cache until "
        "all their uses are done.",
        "Only where data are used again and do not fit anyway; sizes at powers of two collide in cache sets; "
        "tiles that are too small cost loop overhead and vectors."}},
      {"expand",
       {with_loops({{"loop_depth", ">=2"}}),
        "Give every iteration its own copy of a work line that all of them reuse, which removes the false "
        "dependence between iterations.",
        "More memory traffic; nobody may read the line afterwards."}},
      {"peel",
       {with_loops({{"loop_depth", ">=1"}, {"branches", "yes"}}),
        "Run the interior, where boundary tests always hold, in loops without them, and keep the tests for "
        "the border.",
        "Thin interiors gain nothing; empty interiors and sizes below the stencil's width must stay right."}},
      {"unroll",
       {with_loops({{"loop_depth", ">=2"}}), "Write out inner loops of small constant length.",
        "Code grows; longer loops are better left to the compiler."}},
      {"tabulate",
       {with_loops({{"loop_depth", ">=1"}, {"indirect", "yes"}, {"branches", "yes"}}),
        "Where bounded integers are mapped by costly arithmetic and counted, count the values first and map "
        "each distinct value once.",
        "The range must be small beside the number of elements; keep the direct way for the other case."}},
      {"contract",
       {with_loops({{"loop_depth", ">=3"}, {"reduction", "yes"}}),
        "Compute a matrix product in tiles of a few rows by a few vector registers, from factors packed into "
        "contiguous zero-padded panels; share the tiles among threads.",
        "Packing must be paid back by reuse, so small matrices lose; the tile must fit the register file."}},
      {"partials",
       {with_loops({{"loop_depth", ">=1"}, {"reduction", "yes"}}),
        "Where threads sum into the same array, let each add into a copy of its own and add the copies up at "
        "the end in a fixed order.",
        "Copies of large arrays cost more than they save; they must be cleared on every call."}},
      {"team",
       {with_loops({{"loop_depth", ">=2"}}),
        "Start one team of threads around an outer sequential loop and share the inner loops among it, "
        "instead of starting a team for every inner loop.",
        "Every thread runs the sequential loop; a barrier must separate loops that depend on each other."}},
      {"parallel",
       {with_loops({{"loop_depth", ">=1"}}),
        "Share the outermost loop with independent iterations among the threads.",
        "Short loops lose to the start of the team; triangles and irregular rows need a dynamic schedule; "
        "sums need a reduction."}},
      {"simd",
       {with_loops({{"loop_depth", ">=1"}}),
        "Tell the compiler that the innermost loop may run on vectors (omp simd, with reduction clauses).",
        "Gathers and short or unknown lengths can be slower than scalar code."}},
      {"restrict",
       {with_loops({}), "Qualify pointer parameters with __restrict__, so that loads may move over stores.",
        "Wrong as soon as two of them overlap."}},
      {"flags",
       {with_loops({}),
        "Add value-preserving compiler flags: no errno and no traps of mathematical functions, wider "
        "vectors, "
        "unrolling, prefetching.",
        "Wide vectors may lower the clock; flags that change values are not allowed."}},
  };
  return all;
}

}  // namespace

RuleText rule_text(const std::string& rule) {
  const auto found = texts().find(rule);
  if (found != texts().end()) return found->second;
  const auto on_gpus = gpu_rule_texts().find(rule);
  if (on_gpus != gpu_rule_texts().end()) return on_gpus->second;
  return {with_loops({}), "The rule \"" + rule + "\" of the built-in catalogue.", ""};
}

}  // namespace noctune
