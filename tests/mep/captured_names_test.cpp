#include "mep/captured_names.hpp"

#include <gtest/gtest.h>

#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

std::string text_of(const KernelParameters& one) {
  std::string out = one.kernel + ":";
  for (const KernelParameters::Parameter& p : one.parameters)
    out += " [" + p.type + "|" + p.name + "|" + p.role + "|" + p.count + "]";
  return out;
}

TEST(CapturedNames, KernelsOfASource) {
  const std::vector<KernelParameters> found = parameters_in_source(
      "typedef double real;\n"
      "__device__ real twice(real v) { return 2 * v; }\n"
      "namespace app { template <class T> __global__ void spmv(int n, const T* __restrict__ x, real y[]) {} "
      "}\n"
      "void host(int n) {}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(text_of(found[0]), "spmv: [int|n||] [const T* __restrict__|x||] [real*|y||]");
  EXPECT_EQ(found[0].aliases.at("real"), "double");
}

TEST(CapturedNames, EntryAndLaunchesOfASpec) {
  const MepSpec spec = read_mep_spec(
      value_or_throw(parse_json(R"json({"spec_version": 1, "entry": "run", "sizes": {"n": 40}, "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "a", "type": "float*", "count": "n", "role": "inout"}, {"name": "b", "type": "float*", "count": "2*n", "role": "scratch"}],
    "sequence": [{"for": "k", "from": 0, "to": 3, "do": [
      {"launch": "step<float>", "grid": [1], "block": 32, "args": ["b", "n", "k"]}]}]})json",
                                "spec")));
  const std::vector<KernelParameters> found = parameters_in_spec(spec);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(text_of(found[0]), "run: [int|n||] [float*|a|inout|n] [float*|b|out|2*n]");
  EXPECT_EQ(text_of(found[1]), "step: [float*|b|out|2*n] [int|n||] [|||]");
}

}  // namespace
}  // namespace noctune
