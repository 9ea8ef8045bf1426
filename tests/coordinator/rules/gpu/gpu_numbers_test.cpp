// Builds what the rules propose for the small CUDA sources and compares results with the original's on the
// CPU; real compilers take the same texts where they are there.
#include <filesystem>

#include "coordinator/rules/gpu/gpu_trial.hpp"

namespace noctune {
namespace {

using namespace rules_test;

class GpuNumbers : public ::testing::TestWithParam<GpuSource> {};

std::vector<RuleProposal> proposals(const GpuSource& source, const std::string& backend, int count) {
  return value_or_throw(RuleBook::read(gpu_context(source, backend))).propose("", {}, count);
}

TEST_P(GpuNumbers, AllVersionsAgree) {
  const std::vector<RuleProposal> versions = proposals(GetParam(), "cuda", 24);
  ASSERT_GE(versions.size(), 8u);
  const GpuTrial trial(GetParam(), versions);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    EXPECT_LT(trial.error_of(i + 1), 1e-5) << versions[i].recipe << "\n" << versions[i].source;
    EXPECT_LT(trial.error_of(i + 1, 1), 1e-5) << versions[i].recipe << ", buffers off their alignment";
  }
}

std::vector<RuleProposal> versions_of(const GpuSource& source, const std::vector<std::string>& recipes) {
  std::vector<RuleProposal> versions;
  for (const std::string& recipe : recipes)
    versions.push_back(value_or_throw(read(gpu_context(source)).apply(recipe)));
  return versions;
}

// Sizes that leave threads without work, and rests of every length.
void check_sizes(const GpuSource& source, const std::vector<std::string>& recipes,
                 const std::vector<long long>& sizes) {
  const std::vector<RuleProposal> versions = versions_of(source, recipes);
  GpuTrial trial(source, versions);
  for (const long long n : sizes) {
    std::map<std::string, long long> some = source.sizes;
    some["n"] = n;
    trial.set_sizes(some);
    for (std::size_t i = 0; i < versions.size(); ++i)
      for (const std::size_t shift : {0, 1, 2, 3})
        EXPECT_LT(trial.error_of(i + 1, shift), 1e-5) << "n " << n << ", " << recipes[i];
  }
}

TEST(GpuNumbersSizes, SumsOfStretches) {
  check_sizes(stretches_source(),
              {"warp-rows", "warp-rows(lanes=64)", "warp-rows(lanes=4,vector=1);unroll-loops"},
              {0, 1, 2, 5, 383, 385, 3 * 384, 4 * 384 - 1, 20012});
}

TEST(GpuNumbersSizes, SumsOfColumns) {
  check_sizes(columns_source(), {"thread-rows", "thread-rows(groups=4,x=64);read-only;unroll-loops"},
              {1, 31, 32, 33, 100});
}

TEST(GpuNumbersSizes, SumsOfAllThreads) {
  check_sizes(reduction_source(), {"warp-rows(lanes=8)", "warp-rows(vector=1)"},
              {0, 1, 16385, 9 * 16384 - 3});
}

TEST(GpuNumbersSizes, BodiesByReciprocalRoots) {
  check_sizes(nbody_source(),
              {"reciprocal-root", "reciprocal-root;thread-rows(groups=8);read-only", "reciprocal-root;stage"},
              {1, 2, 31, 33, 257});
}

TEST(GpuNumbersSizes, SumsOfTrees) {
  check_sizes(tree_source(), {"elements;block-sum", "elements;block-sum(vector=1,waves=1,x=64);unroll-loops"},
              {1, 2, 3, 4, 255, 257, 1023, 5000});
}

TEST(GpuNumbersSizes, ElementsOfAGrid) {
  check_sizes(strided_source(), {"elements", "elements;vector-loads", "elements;stride(factor=2)"},
              {1, 2, 127, 129, 1000});
}

// The emulation must be able to fail.
TEST(GpuNumbersCheck, SeesAMissingGuard) {
  const GpuSource source = triad_source();
  RuleProposal broken;
  broken.source = source.text;
  const std::size_t guard = broken.source.find("if (i < n)");
  broken.source.replace(guard, 10, "if (true)");
  RuleProposal wrong;
  wrong.source = source.text;
  wrong.source.replace(wrong.source.find("a[i] * scaled"), 13, "a[i] + scaled");
  const GpuTrial trial(source, {broken, wrong});
  EXPECT_GT(trial.error_of(1), 1.0);
  EXPECT_GT(trial.error_of(2), 0.01);
}

TEST_P(GpuNumbers, NvccTakesAllVersions) {
  const std::string nvcc = "/usr/local/cuda/bin/nvcc";
  if (!std::filesystem::exists(nvcc)) GTEST_SKIP() << "there is no " << nvcc;
  EXPECT_EQ(compile_all(nvcc + " -std=c++17 -arch=sm_90 -O1 -Werror all-warnings -diag-suppress 177",
                        GetParam(), proposals(GetParam(), "cuda", 12)),
            "");
}

TEST_P(GpuNumbers, HipccTakesAllVersions) {
  if (std::system("command -v hipcc > /dev/null 2>&1") != 0) GTEST_SKIP() << "hipcc is not installed";
  EXPECT_EQ(
      compile_all("hipcc --offload-arch=gfx906 -std=c++17 -O1", GetParam(), proposals(GetParam(), "hip", 12)),
      "");
}

INSTANTIATE_TEST_SUITE_P(Sources, GpuNumbers, ::testing::ValuesIn(gpu_sources()),
                         [](const auto& source) { return source.param.name; });

}  // namespace
}  // namespace noctune
