// One source through the real compilers, where they are installed: no device is needed.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "evaluator/gpu/gpu_policy.hpp"
#include "evaluator/gpu/gpu_toolchain.hpp"
#include "evaluator/gpu/recorded.hpp"
#include "evaluator/policy.hpp"
#include "mep/driver_sources.hpp"
#include "model/campaign.hpp"
#include "places.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

// In PATH, else where toolkits are usually installed; empty if nowhere.
std::string found(const std::string& program) {
  std::string folders = std::getenv("PATH") ? std::getenv("PATH") : "";
  for (const char* root : {"CUDA_HOME", "ROCM_PATH"})
    if (const char* value = std::getenv(root)) folders += ":" + std::string(value) + "/bin";
  folders += ":/usr/local/cuda/bin:/opt/rocm/bin:";
  for (std::size_t from = 0, stop = 0; (stop = folders.find(':', from)) != std::string::npos;
       from = stop + 1) {
    const fs::path file = fs::path(folders.substr(from, stop - from)) / program;
    if (fs::exists(file)) return file.string();
  }
  return {};
}

struct Outcome {
  int status = -1;
  std::string text;
};

Outcome run(const std::string& program, const std::vector<std::string>& arguments) {
  std::string command = program;
  for (const std::string& one : arguments) command += " '" + one + "'";
  Outcome out;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return out;
  char part[4096];
  while (const std::size_t got = std::fread(part, 1, sizeof part, pipe)) out.text.append(part, got);
  out.status = ::pclose(pipe);
  return out;
}

class GpuCompile : public ::testing::Test {
 protected:
  GpuToolchain toolchain(const std::string& backend, const std::string& architecture,
                         std::vector<std::string> libraries = {}) {
    GpuSettings settings;
    settings.backend = backend;
    settings.compiler = found(default_platform(backend).compiler);
    settings.architectures = {architecture};
    settings.allow_libraries = std::move(libraries);
    return value_or_throw(gpu_toolchain(settings));
  }
  Outcome plugin(const GpuToolchain& tools, const std::string& source) {
    value_or_throw(write_file(source_file(tools), source));
    const std::string context = std::string(NOCTUNE_SOURCE_DIR) + "/tests/evaluator/gpu/data/context.hpp";
    return run(tools.compiler, plugin_arguments(tools, source_file(tools), context, object_file()));
  }
  std::string source_file(const GpuToolchain& tools) const {
    return folder_.path() / ("candidate" + tools.suffix);
  }
  std::string object_file() const { return folder_.path() / "candidate.so"; }

  // The kernels of data/kernels.cu: what any compiler must say of them.
  void expect_known_traits(const ResourceReport& report, const std::string& arch) {
    EXPECT_EQ(resource_sum(report, arch).kernels, 7);
    const KernelResources scale = kernel_of(report, "scale(", arch);
    EXPECT_GE(scale.registers, 3);
    EXPECT_LE(scale.registers, 24);
    EXPECT_EQ(scale.spill_store_bytes, 0);
    EXPECT_EQ(kernel_of(report, "block_sum(", arch).shared_bytes, 2048);
    EXPECT_GT(kernel_of(report, "spilling(", arch).spill_store_bytes, 0);
    EXPECT_GE(kernel_of(report, "indexed(", arch).local_bytes, 256);
    EXPECT_GT(kernel_of(report, "void add_all<double, 2>(", arch).registers, 0);
  }
  void expect_plugin_passes() {
    const PluginBinary binary = value_or_throw(read_plugin_binary(object_file()));
    EXPECT_THAT(binary.defined, Contains("smooth"));
    EXPECT_EQ(gpu_binary_objection(binary, {}, {}).value_or(""), "");
  }
  void expect_hip(const std::string& arch) {
    if (found("hipcc").empty()) GTEST_SKIP() << "hipcc is not installed";
    const GpuToolchain hip = toolchain("hip", arch);
    const Outcome built = plugin(hip, recorded("kernels.cu"));
    ASSERT_EQ(built.status, 0) << built.text;
    expect_known_traits(hip_report(built.text, hip.architectures), arch);
    expect_plugin_passes();
  }

  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-gpu-compile"));
};

TEST_F(GpuCompile, TheSourcePassesThePolicy) {
  EXPECT_EQ(source_objection(recorded("kernels.cu")).value_or(""), "");
  EXPECT_EQ(gpu_source_objection(recorded("kernels.cu"), {}, {}).value_or(""), "");
}

TEST_F(GpuCompile, WithNvccForSm90) {
  if (found("nvcc").empty()) GTEST_SKIP() << "nvcc is not installed";
  const Outcome built = plugin(toolchain("cuda", "9.0"), recorded("kernels.cu"));
  ASSERT_EQ(built.status, 0) << built.text;
  ResourceReport report = ptxas_report(built.text);
  expect_known_traits(report, "sm_90");
  add_occupancy(report, 256);
  EXPECT_EQ(kernel_of(report, "scale(", "sm_90").occupancy, 1);
  EXPECT_THAT(report.functions,
              Contains(::testing::Field(&KernelResources::demangled, "far_away(float, int)")));
  expect_plugin_passes();
}

TEST_F(GpuCompile, WithHipccForGfx906) {
  expect_hip("gfx906");
}

TEST_F(GpuCompile, WithHipccForGfx90a) {
  expect_hip("gfx90a");
}

TEST_F(GpuCompile, RefusesCallsThatWordsHide) {
  if (found("nvcc").empty()) GTEST_SKIP() << "nvcc is not installed";
  const std::string hidden =
      "#define JOIN(a, b) a##b\n"
      "extern \"C\" void smooth(int n, float, const float*, float* y, double*, mep_stream_t) {\n"
      "  JOIN(cuda, Malloc)(&y, n);\n}\n";
  EXPECT_FALSE(gpu_source_objection(hidden, {}, {}));
  const Outcome built = plugin(toolchain("cuda", "9.0"), hidden);
  ASSERT_EQ(built.status, 0) << built.text;
  const PluginBinary binary = value_or_throw(read_plugin_binary(object_file()));
  EXPECT_THAT(gpu_binary_objection(binary, {}, {}).value_or(""), HasSubstr("cudaMalloc"));
}

// A plugin's code hash decides who is a duplicate; most of a GPU candidate is device code.
TEST_F(GpuCompile, DeviceCodeDecidesWhoIsADuplicate) {
  std::string other = recorded("kernels.cu");
  other.replace(other.find("alpha * x[i] +"), 14, "alpha * x[i] -");
  for (const std::string backend : {"cuda", "hip"}) {
    if (found(default_platform(backend).compiler).empty()) continue;
    const GpuToolchain tools = toolchain(backend, backend == "cuda" ? "9.0" : "gfx906");
    std::vector<std::string> hashes;
    for (const std::string& source :
         {recorded("kernels.cu"), "// A comment.\n" + recorded("kernels.cu"), other}) {
      ASSERT_EQ(plugin(tools, source).status, 0);
      hashes.push_back(value_or_throw(read_plugin_binary(object_file())).code_sha);
    }
    EXPECT_EQ(hashes[0], hashes[1]) << backend;
    EXPECT_NE(hashes[0], hashes[2]) << backend;
  }
  if (found("nvcc").empty() && found("hipcc").empty()) GTEST_SKIP() << "neither nvcc nor hipcc is installed";
}

// Without its defines CUB looks for profilers by dlopen and getenv.
TEST_F(GpuCompile, CubNeedsOnlyWhatItIsAllowed) {
  if (found("nvcc").empty()) GTEST_SKIP() << "nvcc is not installed";
  const std::string source =
      "#include <cub/block/block_reduce.cuh>\n#include <cub/device/device_reduce.cuh>\n"
      "extern \"C\" void smooth(int n, float, const float* x, float* y, double* sums, mep_stream_t stream) "
      "{\n"
      "  std::size_t bytes = 1 << 20;\n  cub::DeviceReduce::Sum(sums, bytes, x, y, n, stream);\n}\n";
  const AllowedLibraries cub = value_or_throw(allowed_libraries("cuda", {"cub"}));
  EXPECT_TRUE(gpu_source_objection(source, {}, {}));
  EXPECT_FALSE(gpu_source_objection(source, {}, cub));
  const Outcome built = plugin(toolchain("cuda", "9.0", {"cub"}), source);
  ASSERT_EQ(built.status, 0) << built.text;
  const PluginBinary binary = value_or_throw(read_plugin_binary(object_file()));
  EXPECT_EQ(gpu_binary_objection(binary, {}, cub).value_or(""), "");
  EXPECT_TRUE(gpu_binary_objection(binary, {}, {}));
  std::vector<std::string> waived = needs_of_libraries(binary, cub);
  for (const std::string& one : binary.undefined)
    if (one.starts_with("[library libcudart.so")) waived.push_back(one);  // the original needs it, too
  EXPECT_EQ(binary_objection(binary, "smooth", waived).value_or(""), "");
  for (const char* name : {"dlopen", "dlsym", "getenv"})
    EXPECT_THAT(binary.undefined, ::testing::Not(Contains(name)));
}

TEST_F(GpuCompile, TheDriversRuntimeCompiles) {
  if (found("nvcc").empty() && found("hipcc").empty()) GTEST_SKIP() << "neither nvcc nor hipcc is installed";
  for (const auto& [name, text] : driver_sources(MepSpec{}))
    value_or_throw(write_file(folder_.path() / name, text));
  for (const auto& [backend, architecture] :
       {std::pair{"cuda", "sm_90"}, {"hip", "gfx906"}, {"hip", "gfx90a"}}) {
    if (found(default_platform(backend).compiler).empty()) continue;
    const DriverBuild build{backend, architecture, {}};
    std::vector<std::string> arguments = runtime_compile_arguments(build);
    for (std::string& argument : arguments)
      if (argument.starts_with("driver.")) argument = (folder_.path() / argument).string();
    const Outcome built = run(default_platform(backend).compiler, arguments);
    EXPECT_EQ(built.status, 0) << backend << " " << architecture << "\n" << built.text;
  }
}

}  // namespace
}  // namespace noctune
