// Every source of hotspots/cuda is compiled with each GPU compiler that is there, naive and tuned, behind a
// context with the prototype that its spec means. Neither compiler needs a GPU for that.
#include <gtest/gtest.h>

#include "hotspots/cuda/names.hpp"
#include "mep/driver_fixture.hpp"
#include "mep/glue.hpp"

namespace noctune::testing {
namespace {

// The first of the commands that exists, or nothing.
std::string found(const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    std::string output;
    if (shell("command -v " + command, output) == 0) return command;
  }
  return {};
}

std::string context_for(const std::string& name, const std::string& head) {
  const MepSpec spec = cuda_spec(name);
  return "#pragma once\n#include <cstddef>\n#include <cstdint>\n" + head + "extern \"C\" void " + spec.entry +
         "(" + parameter_list(spec, true) + ", mep_stream_t stream);\n";
}

void expect_compiles(const std::string& compiler, const std::string& head, const std::string& path) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-cuda-hotspots"));
  const std::string name = std::filesystem::path(path).stem();
  value_or_throw(write_file(folder.path() / "context.hpp", context_for(name, head)));
  std::string output;
  const std::string command = "cd " + folder.path().string() + " && " + compiler +
                              " -std=c++17 -O3 -shared -include context.hpp " + path + " -o plugin.so";
  EXPECT_EQ(shell(command, output), 0) << command << "\n" << output;
  EXPECT_EQ(output.find("warning"), std::string::npos) << output;
}

class CudaSource : public ::testing::TestWithParam<std::string> {};

TEST_P(CudaSource, compiles_with_nvcc_for_hopper) {
  const std::string nvcc = found({"nvcc", "/usr/local/cuda/bin/nvcc"});
  if (nvcc.empty()) GTEST_SKIP() << "there is no nvcc";
  expect_compiles(nvcc + " -arch=sm_90 -Xcompiler -fPIC", "typedef cudaStream_t mep_stream_t;\n", GetParam());
}

TEST_P(CudaSource, compiles_with_hipcc_for_gfx906_and_gfx90a) {
  const std::string hipcc = found({"hipcc", "/opt/rocm/bin/hipcc"});
  if (hipcc.empty()) GTEST_SKIP() << "there is no hipcc";
  expect_compiles(hipcc + " -x hip --offload-arch=gfx906 --offload-arch=gfx90a -fPIC",
                  "#include <hip/hip_runtime.h>\ntypedef hipStream_t mep_stream_t;\n", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Hotspots, CudaSource, ::testing::ValuesIn(cuda_sources()), word_of_source);

}  // namespace
}  // namespace noctune::testing
