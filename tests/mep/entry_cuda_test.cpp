// The text of entries for CUDA, compiled by nvcc where there is one.
#include <gtest/gtest.h>

#include "mep/driver_fixture.hpp"
#include "mep/driver_sources.hpp"
#include "mep/entry_source.hpp"

namespace noctune::testing {
namespace {

std::string nvcc() {
  for (const char* path : {"nvcc", "/usr/local/cuda/bin/nvcc"}) {
    std::string output;
    if (shell(std::string("command -v ") + path, output) == 0) return path;
  }
  return {};
}

const char* const schedule = R"json({"entry": "run", "sizes": {"n": 40, "steps": {"default": 3}}, "params": [
    {"name": "n", "type": "int", "value": "n"}, {"name": "steps", "type": "int", "value": "steps"},
    {"name": "a", "type": "float*", "count": "n", "role": "inout", "init": "index"},
    {"name": "b", "type": "float*", "count": "n", "role": "scratch"},
    {"name": "pos", "type": "const float4*", "count": "n", "role": "in"},
    {"name": "flag", "type": "int*", "count": 1, "role": "scratch"}],
    "globals": [{"symbol": "coef", "type": "float", "count": 2}, {"symbol": "omega", "type": "double", "value": 1.5},
                {"symbol": "dom", "type": "Dom", "fields": {"shift": {"type": "double", "value": 3}}},
                {"symbol": "table", "type": "float*", "count": "n", "role": "in"}],
    "template": ["float"],
    "sequence": [{"for": "k", "from": 0, "to": "steps", "do": [
      {"launch": "twice", "grid": ["ceil(n/256)"], "block": 256, "shared": "4*n", "args": ["n", "a", "b", "k", "pos"]}, {"swap": ["a", "b"]}]},
      {"while": "flag", "do": [{"zero": "flag"}, {"launch": "stop<float>", "grid": [1, 1, 1], "block": [32], "args": ["flag"]}]},
      {"copy": ["b", "a"]}]})json";

const char* const kernels = R"(
__constant__ float coef[4];
__constant__ double omega;
__constant__ Dom dom;
__device__ float* table;
template <class T> __global__ void twice(int n, const T* from, T* to, int k, const float4* pos) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = coef[1] * from[i] + (k == 0 ? dom.shift : omega) + table[i] + pos[i].w;
}
template <class T> __global__ void stop(int* flag) { *flag = 0; }
)";

TEST(EntryCuda, Compiles) {
  const std::string compiler = nvcc();
  if (compiler.empty()) GTEST_SKIP() << "there is no nvcc";
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-cuda-test"));
  MepSpec spec = spec_from(schedule);
  spec.backend = "cuda";
  const auto source = with_entry(kernels, spec);
  ASSERT_TRUE(source) << source.error().text();
  value_or_throw(write_file(folder.path() / "entry.cu", context_header(spec) + *source));
  std::string output;
  const std::string command = "cd " + folder.path().string() + " && " + compiler + " -c entry.cu -o entry.o";
  EXPECT_EQ(shell(command, output), 0) << output << *source;
}

}  // namespace
}  // namespace noctune::testing
