#include "mep/reading/facts_fixture.hpp"

namespace noctune {
namespace {

using Texts = std::vector<std::string>;

const std::string kernels = "template <typename T, int B> __global__ void k(int n, T* x) { x[0] = n; }\n";

TEST(ReadLaunches, ReadsShapesArgumentsAndLoops) {
  const SourceFacts facts = read_source(kernels + R"(
void run(int n, float* x, cudaStream_t s) {
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
  for (int t = 0; t < 10; ++t)
    k<float, 16><<<grid, block, 2 * sizeof(float), s>>>(n, x + t);
})");
  ASSERT_EQ(facts.launches.size(), 1u);
  const SourceLaunch& launch = facts.launches[0];
  EXPECT_EQ(launch.kernel, "k");
  EXPECT_EQ(launch.templates, "float, 16");
  EXPECT_EQ(launch.grid, "(n + 15) / 16, (n + 15) / 16");
  EXPECT_EQ(launch.block, "16, 16");
  EXPECT_EQ(launch.shared_bytes, "2 * sizeof(float)");
  EXPECT_EQ(launch.stream, "s");
  EXPECT_EQ(launch.args, (Texts{"n", "x + t"}));
  EXPECT_EQ(launch.enclosing, "run");
  ASSERT_EQ(launch.loops.size(), 1u);
  EXPECT_EQ(launch.loops[0].variable, "t");
  EXPECT_EQ(launch.loops[0].to, "10");
}

TEST(ReadLaunches, ReadsHipLaunches) {
  const SourceFacts facts = read_source(kernels + R"(
#include <hip/hip_runtime.h>
void run(int n, float* x) {
  hipLaunchKernelGGL((k<float, 16>), dim3(n / 16), dim3(16), 0, 0, n, x);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float, 8>), n, 8, 0, 0, n, x);
})");
  EXPECT_EQ(facts.language, "hip");
  ASSERT_EQ(facts.launches.size(), 2u);
  EXPECT_EQ(facts.launches[0].templates, "float, 16");
  EXPECT_EQ(facts.launches[0].grid, "n / 16");
  EXPECT_EQ(facts.launches[0].args, (Texts{"n", "x"}));
  EXPECT_EQ(facts.launches[1].templates, "float, 8");
}

TEST(ReadLaunches, ReadsComments) {
  const SourceFacts facts =
      read_source("// launched as: k<float, 16><<<(n + 255) / 256, 256>>>(n, x), don't change\n" + kernels);
  ASSERT_EQ(facts.launches.size(), 1u);
  EXPECT_TRUE(facts.launches[0].in_comment);
  EXPECT_EQ(facts.launches[0].grid, "(n + 255) / 256");
  EXPECT_EQ(facts.launches[0].args, (Texts{"n", "x"}));
}

TEST(ReadLaunches, ReadsCallsInOpenMPSourcesAndTheirComments) {
  const SourceFacts facts = read_source(R"(
// step(n, x) advances x. Prototype: step(int n, double* x)
// called as: step(m, y)
void step(int n, double* x) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) x[i] *= 2;
}
void run(int n, double* x, int steps) { for (int t = 0; t < steps; t++) step(n, x); }
)");
  EXPECT_EQ(facts.language, "openmp");
  ASSERT_EQ(facts.launches.size(), 3u);
  EXPECT_EQ(facts.launches[0].enclosing, "run");
  EXPECT_EQ(facts.launches[0].loops.size(), 1u);
  EXPECT_EQ(facts.launches[2].args, (Texts{"m", "y"}));
}

TEST(ReadLaunches, ReadsSnippets) {
  const SourceFacts facts = read_source(kernels);
  const auto launches = read_call_site(R"(
int blocks = (n + 255) / 256;
dim3 grid; grid.x = blocks; grid.y = 2;
do {
  flag = 0;
  for (int j = m; j >= 1; j /= 2) k<float, 4><<<grid, 256>>>(n, d_x);
  while (more) { k<float, 4><<<blocks, 256>>>(n, d_x); }
} while (flag != 0);
)",
                                       facts);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_TRUE(launches[0].in_snippet);
  EXPECT_EQ(launches[0].grid, "(n + 255) / 256, 2");
  ASSERT_EQ(launches[0].loops.size(), 2u);
  EXPECT_EQ(launches[0].loops[0].condition, "flag != 0");
  EXPECT_EQ(launches[0].loops[1].to, "0");
  EXPECT_EQ(launches[1].grid, "(n + 255) / 256");
  EXPECT_EQ(launches[1].loops[1].condition, "more");
}

TEST(ReadLaunches, ResolvesComponentsOfShapes) {
  const auto launches = read_call_site(
      "dim3 block(32, 8); dim3 grid((n + block.x - 1) / block.x, m / block.y);\n"
      "k<float, 4><<<grid, block>>>(n, x);",
      read_source(kernels));
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].grid, "(n + 32 - 1) / 32, m / 8");
}

TEST(ReadLaunches, SmallHelpersAreNoLaunches) {
  const SourceFacts facts = read_source(
      "static double half(double v) { return v / 2; }\nstatic double at(const double* x, int i) { return "
      "x[i]; }\n"
      "void step(int n, double* x) {\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) x[i] = "
      "half(at(x, i)); }\n");
  EXPECT_TRUE(facts.launches.empty());
}

TEST(ReadLaunches, KeepsNamesThatAreArguments) {
  const auto launches =
      read_call_site("int n = 1 << 20; k<float, 4><<<n / 256, 256>>>(n, x);", read_source(kernels));
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].grid, "n / 256");
}

}  // namespace
}  // namespace noctune
