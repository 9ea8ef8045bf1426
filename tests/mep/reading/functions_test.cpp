#include "mep/reading/facts_fixture.hpp"

namespace noctune {
namespace {

TEST(ReadFunctions, TellsKernelsHelpersAndHostFunctions) {
  const SourceFacts facts = read_source(R"(
static __device__ __forceinline__ float helper(float x) { return x; }
extern "C" __global__ void __launch_bounds__(256, 2) kernel(int n, const float* __restrict__ x, Thing* y) { }
void host() { }
)");
  EXPECT_EQ(facts.language, "cuda");
  EXPECT_EQ(function_of(facts, "helper").kind, SourceFunction::Kind::device);
  EXPECT_TRUE(function_of(facts, "helper").is_static);
  const SourceFunction& kernel = function_of(facts, "kernel");
  EXPECT_EQ(kernel.kind, SourceFunction::Kind::kernel);
  EXPECT_TRUE(kernel.c_linkage);
  EXPECT_EQ(kernel.launch_bounds, "256, 2");
  ASSERT_EQ(kernel.params.size(), 3u);
  EXPECT_EQ(kernel.params[1].type, "const float* __restrict__");
  EXPECT_TRUE(kernel.params[1].const_base);
  EXPECT_EQ(kernel.params[2].base, "Thing");
  EXPECT_EQ(facts.unknown_types, (std::vector<std::string>{"Thing"}));
  EXPECT_EQ(function_of(facts, "host").kind, SourceFunction::Kind::host);
}

TEST(ReadFunctions, ReadsArraysAndPointersToArrays) {
  const SourceFunction f =
      function_of(read_source("void f(double A[N][M], real (*x)[3], float** p, unsigned int n) {}"), "f");
  ASSERT_EQ(f.params.size(), 4u);
  EXPECT_EQ(f.params[0].type, "double[N][M]");
  EXPECT_EQ(f.params[0].pointers, 1);
  EXPECT_EQ(f.params[0].extents, (std::vector<std::string>{"N", "M"}));
  EXPECT_EQ(f.params[1].type, "real (*)[3]");
  EXPECT_EQ(f.params[1].name, "x");
  EXPECT_EQ(f.params[1].extents, (std::vector<std::string>{"3"}));
  EXPECT_EQ(f.params[2].pointers, 2);
  EXPECT_EQ(f.params[3].base, "unsigned int");
}

TEST(ReadFunctions, ReadsTemplatesAndTheirInstances) {
  const SourceFacts facts = read_source(R"(
template <typename T, int BS = 128, bool Edge>
__global__ void scale(T* x, T a) { x[threadIdx.x] = a; }
template __global__ void scale<float, 256, true>(float*, float);
)");
  const SourceFunction& scale = function_of(facts, "scale");
  ASSERT_EQ(scale.templates.size(), 3u);
  EXPECT_EQ(scale.templates[0].kind, "typename");
  EXPECT_EQ(scale.templates[1].name, "BS");
  EXPECT_EQ(scale.templates[1].default_value, "128");
  EXPECT_EQ(scale.instances, (std::vector<std::string>{"float, 256, true"}));
  EXPECT_TRUE(facts.unknown_types.empty());
}

TEST(ReadFunctions, FindsKernelsBehindMacros) {
  const SourceFacts facts = read_source(R"(
#define KERNEL extern "C" __global__ void
#define PASTE(a, b) a##_##b
KERNEL one(float* x) { x[0] = 1; }
__global__ void PASTE(two, fast)(float* x) { x[0] = 1; }
)");
  EXPECT_TRUE(function_of(facts, "one").c_linkage);
  EXPECT_EQ(function_of(facts, "two_fast").kind, SourceFunction::Kind::kernel);
  EXPECT_TRUE(has(function_of(facts, "one").names, "KERNEL"));
}

TEST(ReadFunctions, SaysWhenAKernelsNameIsMadeByAnUnknownMacro) {
  const SourceFacts facts = read_source("__global__ void NAME(pair)(float* x) { x[0] = 1; }");
  ASSERT_FALSE(facts.problems.empty());
  EXPECT_TRUE(facts.problems[0].fatal);
  EXPECT_NE(facts.problems[0].text.find("macro"), std::string::npos);
}

TEST(ReadFunctions, KnowsCLinkageFromBlocksAndPrototypes) {
  const SourceFacts facts = read_source(R"(
extern "C" void later(int n);
extern "C" { void inside(int n) {} }
void later(int n) {}
void outside(int n) {}
)");
  EXPECT_TRUE(function_of(facts, "inside").c_linkage);
  EXPECT_TRUE(function_of(facts, "later").c_linkage);
  EXPECT_FALSE(function_of(facts, "outside").c_linkage);
}

TEST(ReadFunctions, PlacesAreBytesOfTheSource) {
  const std::string source = "// first\n/* x */ template <class T>\nvoid f(T* x) { x[0] = 1; }\n";
  const SourceFunction f = function_of(read_source(source), "f");
  EXPECT_EQ(source.substr(f.declaration.begin, 18), "template <class T>");
  EXPECT_EQ(source.substr(f.body.begin, f.body.end - f.body.begin), "{ x[0] = 1; }");
  EXPECT_EQ(f.declaration.line, 2);
}

TEST(ReadFunctions, ListsCallsNamesAndFeatures) {
  const SourceFunction f = function_of(read_source(R"(
__global__ void f(float* x) {
  __shared__ float tile[TILE][TILE + 1];
  extern __shared__ double rest[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[0][i] = helper(x[i]) * SCALE;
  __syncthreads();
  x[i] = __shfl_down_sync(0xffffffff, tile[0][0], 1) + sqrtf(x[i]);
})"),
                                       "f");
  EXPECT_TRUE(f.uses_block_size);
  EXPECT_TRUE(f.barriers);
  EXPECT_TRUE(f.warp_intrinsics);
  EXPECT_FALSE(f.atomics);
  EXPECT_TRUE(has(f.calls, "helper") && has(f.calls, "sqrtf"));
  EXPECT_EQ(f.names, (std::vector<std::string>{"TILE", "helper", "SCALE"}));
  ASSERT_EQ(f.shared.size(), 2u);
  EXPECT_EQ(f.shared[0].extents, (std::vector<std::string>{"TILE", "TILE + 1"}));
  EXPECT_TRUE(f.shared[1].dynamic);
}

}  // namespace
}  // namespace noctune
