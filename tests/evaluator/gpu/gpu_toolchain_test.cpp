#include "evaluator/gpu/gpu_toolchain.hpp"

#include <gmock/gmock.h>

#include "evaluator/gpu/gpu_libraries.hpp"
#include "evaluator/gpu/gpu_tools.hpp"

namespace noctune {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

GpuSettings settings(const std::string& backend, const std::string& architectures) {
  GpuSettings out;
  out.backend = backend;
  out.architectures = {architectures};
  return out;
}

TEST(ArchitectureList, ReadsWhatPeopleAndDevicesSay) {
  EXPECT_THAT(*architecture_list("cuda", {"9.0", "sm_80,compute_90", "90a", "12.1"}),
              ElementsAre("sm_90", "sm_80", "sm_90a", "sm_121"));
  EXPECT_THAT(*architecture_list("hip", {"gfx906,gfx926", "gfx90a:sramecc+:xnack-", "gfx906"}),
              ElementsAre("gfx906", "gfx926", "gfx90a:sramecc+:xnack-"));
  EXPECT_THAT(*architecture_list("hip", {}), IsEmpty());
}

TEST(ArchitectureList, RefusesWhatNoCompilerKnows) {
  for (const char* bad :
       {"native", "9", "9.", ".9", "9.00", "sm_", "sm_9x", "gfx906", "sm_90;rm", "9000", "-o"})
    EXPECT_FALSE(architecture_list("cuda", {bad})) << bad;
  for (const char* bad :
       {"native", "906", "gfx", "gfx9", "gfxabcde", "gfx906 -o", "gfx906:$(x)", "sm_", "9.0"})
    EXPECT_FALSE(architecture_list("hip", {bad})) << bad;
  EXPECT_THAT(architecture_list("cuda", {"gfx906"}).error().text(), HasSubstr("sm_90"));
}

TEST(ArchitectureFlags, OneOrMany) {
  EXPECT_THAT(architecture_flags("cuda", {"sm_90"}), ElementsAre("-arch=sm_90"));
  EXPECT_THAT(
      architecture_flags("cuda", {"sm_80", "sm_90"}),
      ElementsAre("-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90"));
  EXPECT_THAT(architecture_flags("hip", {"gfx906", "gfx926"}),
              ElementsAre("--offload-arch=gfx906", "--offload-arch=gfx926"));
}

TEST(GpuToolchain, OfCuda) {
  const GpuToolchain cuda = value_or_throw(gpu_toolchain(settings("cuda", "9.0")));
  EXPECT_EQ(cuda.compiler, "nvcc");
  EXPECT_EQ(cuda.suffix, ".cu");
  EXPECT_THAT(plugin_arguments(cuda, "a.cu", "context.hpp", "a.so"),
              ElementsAre("-O3", "-std=c++17", "-arch=sm_90", "-Xptxas", "-v", "-shared", "-Xcompiler",
                          "-fPIC", "-cudart", "shared", "-include", "context.hpp", "-o", "a.so", "a.cu"));
  EXPECT_THAT(cuda.flags, Not(Contains("-fmad=false")));
}

TEST(GpuToolchain, OfHip) {
  GpuSettings asked = settings("hip", "gfx906,gfx90a");
  asked.compiler = "/opt/dtk/bin/hipcc";
  const GpuToolchain hip = value_or_throw(gpu_toolchain(asked));
  EXPECT_EQ(hip.compiler, "/opt/dtk/bin/hipcc");
  EXPECT_EQ(hip.suffix, ".hip");
  EXPECT_THAT(plugin_arguments(hip, "a.hip", "context.hpp", "a.so"),
              ElementsAre("-O3", "-std=c++17", "--offload-arch=gfx906", "--offload-arch=gfx90a",
                          "-Rpass-analysis=kernel-resource-usage", "-shared", "-fPIC", "-include",
                          "context.hpp", "-o", "a.so", "a.hip"));
}

TEST(GpuToolchain, OwnFlagsReplaceTheDefaults) {
  GpuSettings asked = settings("cuda", "9.0");
  asked.flags = {"-O2", "-gencode", "arch=compute_90a,code=sm_90a"};
  const GpuToolchain cuda = value_or_throw(gpu_toolchain(asked));
  EXPECT_EQ(cuda.flags, asked.flags);
  EXPECT_THAT(cuda.architecture_flags, IsEmpty());
}

TEST(GpuToolchain, NeedsABackendAndAnArchitecture) {
  EXPECT_FALSE(gpu_toolchain(settings("openmp", "9.0")));
  EXPECT_THAT(gpu_toolchain(settings("cuda", "")).error().text(), HasSubstr("set platform.architecture"));
}

TEST(GpuLibraries, AreOffUntilTheyAreNamed) {
  GpuSettings asked = settings("cuda", "9.0");
  EXPECT_THAT(value_or_throw(gpu_toolchain(asked)).library_links, IsEmpty());
  asked.allow_libraries = {"cublas", "cub", "cublas"};
  const GpuToolchain cuda = value_or_throw(gpu_toolchain(asked));
  EXPECT_THAT(cuda.library_links, ElementsAre("-Xlinker", "--as-needed", "-lcublas", "-lcublasLt"));
  EXPECT_THAT(cuda.library_defines, ElementsAre("-DCCCL_DISABLE_NVTX", "-DNVTX_DISABLE"));
  EXPECT_EQ(plugin_arguments(cuda, "a.cu", "c.hpp", "a.so").back(), "-lcublasLt");
  asked.library_folder = "/cuda/lib64";
  EXPECT_THAT(
      value_or_throw(gpu_toolchain(asked)).library_links,
      ElementsAre("-Xlinker", "--as-needed", "-Xlinker", "-rpath,/cuda/lib64", "-lcublas", "-lcublasLt"));
  asked.allow_libraries = {"cub"};
  EXPECT_THAT(value_or_throw(gpu_toolchain(asked)).library_links, IsEmpty());
  asked.allow_libraries = {"rocblas"};
  EXPECT_THAT(gpu_toolchain(asked).error().text(), HasSubstr("cublas, cusparse"));
}

TEST(GpuLibraries, OfHipStandBehindTheSourceToo) {
  GpuSettings asked = settings("hip", "gfx90a");
  asked.allow_libraries = {"rocblas"};
  asked.library_folder = "/opt/dtk/lib";
  EXPECT_THAT(value_or_throw(gpu_toolchain(asked)).library_links,
              ElementsAre("-Wl,--as-needed", "-Wl,-rpath,/opt/dtk/lib", "-lrocblas"));
}

TEST(GpuLibraries, SayWhatTheyExplain) {
  const AllowedLibraries blas = value_or_throw(allowed_libraries("cuda", {"cublas"}));
  EXPECT_TRUE(blas.allows_symbol("cublasSgemm_v2"));
  EXPECT_FALSE(blas.allows_symbol("cusparseSpMV"));
  EXPECT_TRUE(blas.allows_file("libcublas.so.13"));
  EXPECT_TRUE(blas.allows_file("libcublasLt.so.13"));
  EXPECT_FALSE(blas.allows_file("libcufft.so.12"));
  EXPECT_FALSE(library_not_allowed("cublas_v2.h", blas));
  ASSERT_TRUE(library_not_allowed("cub/cub.cuh", blas));
  EXPECT_EQ(library_not_allowed("cub/cub.cuh", blas)->name, "cub");
  EXPECT_FALSE(library_not_allowed("cooperative_groups.h", blas));
  EXPECT_FALSE(library_not_allowed("thrust/sort.h", value_or_throw(allowed_libraries("hip", {"hipcub"}))));
  EXPECT_TRUE(value_or_throw(allowed_libraries("cuda", {"cub"})).allows_symbol("cudaGetLastError"));
}

TEST(ToolkitRoot, IsWhatTheEnvironmentSaysOrTheCompilersPrefix) {
  EXPECT_EQ(toolkit_root("cuda", "/usr/local/cuda/bin/nvcc", {}), "/usr/local/cuda");
  EXPECT_EQ(toolkit_root("cuda", "/x/bin/nvcc", {"PATH=/x", "CUDA_HOME=/opt/cuda"}), "/opt/cuda");
  EXPECT_EQ(toolkit_root("hip", "/usr/bin/hipcc", {"ROCM_PATH=/opt/rocm", "DTKROOT=/opt/dtk"}), "/opt/dtk");
  EXPECT_EQ(toolkit_root("hip", "hipcc", {"ROCM_PATH="}), "");
}

TEST(GpuCompilerEnvironment, HidesWhatAddsFlags) {
  EXPECT_THAT(gpu_compiler_environment("cuda", {"PATH=/bin", "NVCC_APPEND_FLAGS=-G", "NVCC_CCBIN=g++-12",
                                                "NVCC_PREPEND_FLAGS=-O0"}),
              ElementsAre("PATH=/bin", "NVCC_CCBIN=g++-12"));
  EXPECT_THAT(gpu_compiler_environment(
                  "hip", {"HIPCC_COMPILE_FLAGS_APPEND=-O0", "HIP_PLATFORM=nvidia", "ROCM_PATH=/opt/rocm"}),
              ElementsAre("ROCM_PATH=/opt/rocm", "HIP_PLATFORM=amd"));
}

TEST(GpuPrograms, HavePlacesBesidePath) {
  EXPECT_THAT(gpu_programs("cuda", "profiler"), ElementsAre("ncu"));
  EXPECT_THAT(gpu_programs("hip", "sanitizer"), IsEmpty());
  EXPECT_THAT(gpu_programs("hip", "devices"), Contains("hy-smi"));
  EXPECT_THAT(gpu_program_places("compute-sanitizer", "/cuda"),
              Contains("/cuda/compute-sanitizer/compute-sanitizer"));
  EXPECT_THAT(gpu_program_places("ncu", ""), ElementsAre("/opt/nvidia/nsight-compute/*/ncu"));
}

}  // namespace
}  // namespace noctune
