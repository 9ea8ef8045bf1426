#include "coordinator/patterns/feature_words.hpp"

namespace noctune {

const std::vector<FeatureWord>& feature_words() {
  static const std::vector<std::string> yes_no = {"yes", "no"};
  static const std::vector<FeatureWord> words = {
      {"backend", {"openmp", "cuda", "hip"}, "the campaign's platform"},
      {"dtype",
       {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "complex", "mixed"},
       "element type of the buffers; floating types decide, integers count only where there are no others"},
      {"arrays", {}, "pointer parameters of the entry"},
      {"loop_depth", {}, "loops of the deepest nest, helpers inlined"},
      {"parallel", yes_no, "the source has an OpenMP directive that starts or shares work, or launches"},
      {"reduction", yes_no,
       "a sum whose place does not move with a loop that its terms depend on, or is found by an index array"},
      {"stencil", yes_no,
       "an array is read at neighbouring iterations: subscripts a whole number of steps of a loop apart, or "
       "two loops that step through one subscript alike"},
      {"indirect", yes_no, "a subscript or a loop bound is read from an array"},
      {"branches", yes_no, "an if or a conditional expression inside a loop"},
      {"calls_math", yes_no, "sqrt, exp, log, powers or trigonometry inside a loop"},
      {"transposed", yes_no,
       "an innermost loop strides through an array by a size, or by 16 elements or more"},
      {"working_set",
       {"l1", "l2", "llc", "memory"},
       "bytes of the heaviest timed case: the smallest cache that holds them"},
      {"intensity",
       {"low", "medium", "high"},
       "floating-point operations per byte as the spec states them: below 1, below 8, more"},
      {"bottleneck",
       {"memory", "compute", "latency"},
       "which of the device's ceilings takes the larger share of the original's time; latency where that "
       "share "
       "is below 5 % of what the processors it uses could do"},
      {"flops_per_byte", {}, "the ratio behind intensity"},
      {"memory_share", {}, "bytes at the measured bandwidth over the original's time"},
      {"compute_share", {}, "operations at the measured peak over the original's time"},
  };
  return words;
}

const FeatureWord* find_feature(const std::string& name) {
  for (const FeatureWord& word : feature_words())
    if (word.name == name) return &word;
  return nullptr;
}

std::vector<std::string> feature_names() {
  std::vector<std::string> names;
  for (const FeatureWord& word : feature_words()) names.push_back(word.name);
  return names;
}

}  // namespace noctune
