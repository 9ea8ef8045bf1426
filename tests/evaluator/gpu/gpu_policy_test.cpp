#include "evaluator/gpu/gpu_policy.hpp"

#include <gmock/gmock.h>

#include "evaluator/gpu/gpu_names.hpp"

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::optional<std::string> objection(const std::string& source, const std::string& original = {}) {
  return gpu_source_objection(source, original, {});
}

TEST(GpuSourceObjection, LetsKernelsAndTheirLaunchesPass) {
  for (const char* source :
       {"k<<<grid, block, 0, stream>>>(x);", "k<<<dim3(n, 2), f(a, b), bytes, stream>>>(x);",
        "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);",
        "hipFuncSetAttribute((const void*)k, hipFuncAttributeMaxDynamicSharedMemorySize, 65536);",
        "cudaMemsetAsync(x, 0, n, stream);", "hipMemcpyAsync(x, y, n, hipMemcpyDeviceToDevice, stream);",
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, k, 256, 0);", "cudaStream_t s = stream;",
        "if (cudaPeekAtLastError() != cudaSuccess) return;", "hipLaunchKernelGGL(k, g, b, 0, stream, x);",
        "#include <cooperative_groups.h>\n", "#include <mma.h>\n#include <hip/hip_fp16.h>\n",
        "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 16;\" :: \"r\"(a), \"l\"(b));",
        "cuFloatComplex z = cuCmulf(a, b);", "int i = hipThreadIdx_x + hipBlockIdx_x * hipBlockDim_x;",
        "const char* text = \"cudaMalloc\"; // cudaMalloc", "int clock = 3; int system_clock(int);",
        "a = b << 3; std::vector<std::vector<std::vector<int>>> v;"})
    EXPECT_EQ(objection(source).value_or(""), "") << source;
}

TEST(GpuSourceObjection, NamesTheReason) {
  const struct {
    const char* name;
    const char* reason;
  } cases[] = {{"cudaMalloc", "scratch comes from the MEP"},
               {"cudaMallocAsync", "scratch comes from the MEP"},
               {"hipFree", "scratch comes from the MEP"},
               {"cudaMemPoolCreate", "scratch comes from the MEP"},
               {"hipHostMalloc", "scratch comes from the MEP"},
               {"__managed__", "scratch comes from the MEP"},
               {"cudaStreamCreateWithFlags", "leaves the stream"},
               {"hipStreamCreate", "leaves the stream"},
               {"cudaLaunchHostFunc", "leaves the stream"},
               {"cudaStreamPerThread", "leaves the stream"},
               {"cudaDeviceSynchronize", "Async form"},
               {"hipStreamSynchronize", "Async form"},
               {"cudaMemcpy", "Async form"},
               {"cudaMemcpyToSymbol", "Async form"},
               {"cudaEventRecord", "uses events"},
               {"hipEventElapsedTime", "uses events"},
               {"cudaDeviceSetLimit", "outlive the call"},
               {"cudaDeviceReset", "outlive the call"},
               {"cudaDeviceSetCacheConfig", "outlive the call"},
               {"hipSetDevice", "outlive the call"},
               {"cudaCtxResetPersistingL2Cache", "L2 cache"},
               {"cudaAccessPolicyWindow", "L2 cache"},
               {"cudaLimitPersistingL2CacheSize", "L2 cache"},
               {"hipAccessPolicyWindow", "L2 cache"},
               {"cudaProfilerStart", "profiler"},
               {"cudaGetLastError", "asks for it"},
               {"cudaGraphInstantiate", "graph"},
               {"hipStreamBeginCapture", "graph"},
               {"hipModuleLoad", "other code"},
               {"cudaGetDriverEntryPoint", "other code"},
               {"nvrtcCompileProgram", "other code"},
               {"cuInit", "driver's interface"},
               {"cuCtxCreate", "driver's interface"},
               {"cuLaunchKernel", "driver's interface"},
               {"cudaCreateTextureObject", "texture"},
               {"clock64", "clock"},
               {"wall_clock64", "clock"}};
  for (const auto& one : cases)
    EXPECT_THAT(objection("void f() { " + std::string(one.name) + "(x); }").value_or(""),
                AllOf(HasSubstr(one.name), HasSubstr(one.reason)))
        << one.name;
}

TEST(GpuSourceObjection, RefusesClocksInAssembly) {
  EXPECT_THAT(*objection("asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(t));"),
              HasSubstr("%globaltimer"));
  EXPECT_THAT(*objection("long t = clock();"), HasSubstr("clock"));
  EXPECT_FALSE(objection("const char* text = \"%globaltimer\";"));
}

TEST(GpuSourceObjection, WantsTheEntrysStream) {
  for (const char* source : {"k<<<1, 2>>>(x);", "k<<<1, 2, 0>>>(x);", "k<<<1, f(2, 3, 4, 5)>>>(x);",
                             "k<<<1, 2, 0, 0>>>(x);", "k<<<1, 2, 0, nullptr>>>(x);"})
    EXPECT_THAT(objection(source).value_or(""), HasSubstr("fourth launch argument")) << source;
  for (const char* broken : {"<<<", "k<<<1, 2", "k<<<1;>>>", "k<<<)>>>"})
    EXPECT_FALSE(objection(broken)) << broken;
}

// A reader that looks for every end would need hours.
TEST(GpuSourceObjection, EndsOnLaunchesThatNeverDo) {
  EXPECT_FALSE(objection(std::string(1 << 20, '<')));
  std::string many;
  for (int i = 0; i < 100000; ++i) many += "<<<a,b ";
  EXPECT_FALSE(objection(many));
}

TEST(GpuSourceObjection, AllowsWhatTheOriginalDoes) {
  const std::string original = "cudaGetLastError(); k<<<1, 2>>>(x);";
  EXPECT_FALSE(objection("j<<<2, 2>>>(x); cudaGetLastError();", original));
  EXPECT_THAT(*objection("cudaGetLastError(); cudaMalloc(&x, 3);", original), HasSubstr("cudaMalloc"));
}

TEST(GpuSourceObjection, WantsLibrariesToBeAllowed) {
  EXPECT_THAT(*objection("#include <cublas_v2.h>\n"), HasSubstr("(allow_libraries)"));
  EXPECT_THAT(*objection("#include <cub/block/block_reduce.cuh>\n"), HasSubstr("library cub"));
  EXPECT_THAT(*objection("#include <cuda.h>\n"), HasSubstr("driver's interface"));
  const AllowedLibraries cub = value_or_throw(allowed_libraries("cuda", {"cub"}));
  EXPECT_FALSE(gpu_source_objection("#include <cub/cub.cuh>\ncudaGetLastError();", "", cub));
  EXPECT_TRUE(gpu_source_objection("#include <cublas_v2.h>\n", "", cub));
}

PluginBinary needing(std::vector<std::string> undefined) {
  PluginBinary out;
  out.undefined = std::move(undefined);
  return out;
}

TEST(GpuBinaryObjection, LetsWhatCompilersMakeOfLaunchesPass) {
  for (const char* symbol :
       {"__cudaRegisterFatBinary", "__cudaPushCallConfiguration", "__cudaLaunchKernel", "__cudaGetKernel",
        "cudaLaunchKernel", "cudaLaunchKernel_ptsz", "cudaLaunchKernelExC", "cudaGetDeviceProperties_v2",
        "__hipRegisterVar", "hipLaunchKernel", "hipLaunchCooperativeKernel", "memcpy", "_Znwm", "custom"})
    EXPECT_FALSE(gpu_binary_objection(needing({symbol}), {}, {})) << symbol;
}

TEST(GpuBinaryObjection, RefusesEveryOtherCall) {
  for (const char* symbol :
       {"cudaMalloc", "hipMalloc", "cudaStreamSynchronize_ptsz", "cuMemAlloc_v2", "cuNewThing",
        "cudaSomethingNew", "hipSomethingNew", "cudaGetDeviceCount", "hsa_init"}) {
    EXPECT_TRUE(gpu_binary_objection(needing({symbol}), {}, {})) << symbol;
    EXPECT_FALSE(gpu_binary_objection(needing({symbol}), {symbol}, {})) << symbol;
  }
}

TEST(GpuBinaryObjection, KnowsLibraries) {
  const AllowedLibraries blas = value_or_throw(allowed_libraries("cuda", {"cublas"}));
  const PluginBinary binary =
      needing({"[library libcublas.so.13]", "[library libother.so]", "cublasSgemm_v2", "malloc"});
  EXPECT_FALSE(gpu_binary_objection(binary, {}, blas));
  EXPECT_THAT(needs_of_libraries(binary, blas), ElementsAre("[library libcublas.so.13]", "cublasSgemm_v2"));
  EXPECT_THAT(needs_of_libraries(binary, {}), ElementsAre());
  EXPECT_THAT(*gpu_binary_objection(binary, {}, {}), HasSubstr("library cublas (cublasSgemm_v2)"));
  EXPECT_FALSE(gpu_binary_objection(binary, {"cublasSgemm_v2"}, {}));
  EXPECT_THAT(*gpu_binary_objection(needing({"rocblas_sgemm"}), {}, blas), HasSubstr("library rocblas"));
}

}  // namespace
}  // namespace noctune
