#include "coordinator/rules/gpu/gpu_plan.hpp"

#include <set>

#include "coordinator/rules/gpu/gpu_kernels.hpp"

namespace noctune {
namespace {

using namespace rules_test;

std::string first_recipe(const GpuSource& source) {
  const auto proposals = read(gpu_context(source)).propose("", {}, 1);
  return proposals.empty() ? std::string() : proposals[0].recipe;
}

TEST(GpuPlan, StructureComesFirst) {
  EXPECT_TRUE(has(first_recipe(gemm_source()), "register-tiles"));
  EXPECT_TRUE(has(first_recipe(syrk_source()), "register-tiles"));
  EXPECT_TRUE(has(first_recipe(nbody_source()), "thread-rows"));
  EXPECT_TRUE(has(first_recipe(matvec_source()), "warp-rows"));
  EXPECT_TRUE(has(first_recipe(spmv_source()), "warp-rows"));
  EXPECT_TRUE(has(first_recipe(columns_source()), "thread-rows"));
  EXPECT_TRUE(has(first_recipe(transpose_source()), "transpose-tiles"));
  EXPECT_TRUE(has(first_recipe(triad_source()), "vector-loads"));
  EXPECT_TRUE(has(first_recipe(dot_source()), "block-sum"));
  EXPECT_TRUE(has(first_recipe(histogram_source()), "private-bins"));
}

TEST(GpuPlan, LaterRoundsBuildOnTheWinner) {
  const std::string best = "accumulate;register-tiles;read-only";
  const auto proposals = read(gpu_context(gemm_source())).propose(best, {{best, Verdict::ok, 4.0}}, 4);
  ASSERT_EQ(proposals.size(), 4u);
  EXPECT_TRUE(has(proposals[0].recipe, "register-tiles(cols=8,depth=8,rows=8)")) << proposals[0].recipe;
  std::set<std::string> sources;
  for (const RuleProposal& proposal : proposals) {
    EXPECT_TRUE(sources.insert(proposal.source).second) << proposal.recipe;
    EXPECT_FALSE(proposal.hypothesis.empty());
    EXPECT_FALSE(proposal.strategies.empty());
  }
}

TEST(GpuPlan, ShapesVaryOnTopOfPlainKernels) {
  const std::string best = "read-only(ldg=1)";
  const auto proposals = read(gpu_context(stencil_source())).propose(best, {{best, Verdict::ok, 1.1}}, 8);
  bool shaped = false;
  for (const RuleProposal& proposal : proposals)
    shaped |= has(proposal.recipe, "block(") && has(proposal.recipe, "read-only(ldg=1)");
  EXPECT_TRUE(shaped);
}

TEST(GpuPlan, RecipesMakeTheSameSourceAgain) {
  for (const GpuSource& source : gpu_sources()) {
    const RuleBook book = read(gpu_context(source));
    for (const RuleProposal& proposal : book.propose("", {}, 6)) {
      const auto again = book.apply(proposal.recipe);
      ASSERT_TRUE(again) << proposal.recipe;
      EXPECT_EQ(again->source, proposal.source);
    }
  }
}

TEST(GpuPlan, OpenMpSourcesSeeNoneOfIt) {
  const RuleContext context = square("  for (int i = 0; i < n; ++i) y[i] = x[i];\n");
  for (const char* recipe : {"register-tiles", "block", "read-only", "stride", "accumulate"})
    EXPECT_FALSE(applies(context, recipe)) << recipe;
}

}  // namespace
}  // namespace noctune
