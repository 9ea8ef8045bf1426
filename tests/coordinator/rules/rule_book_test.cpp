#include "coordinator/rules/rule_book.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "coordinator/rules/kernels.hpp"

namespace noctune {
namespace {

using namespace rules_test;

const char* product =
    "  // The product.\n  for (int i = 0; i < n; ++i) {\n    for (int j = 0; j < n; ++j) {\n      y[i * n + "
    "j] = 0.0;\n"
    "      for (int k = 0; k < n; ++k) {\n        y[i * n + j] += A[i * n + k] * A[k * n + j];\n      }\n    "
    "}\n  }\n";

TEST(RuleBook, EmptyRecipeIsTheOriginal) {
  const RuleContext context = square(product);
  EXPECT_EQ(made(context, ""), context.source);
}

TEST(RuleBook, SaysWhyARecipeDoesNotApply) {
  const RuleBook book = read(square(product));
  const auto unknown = book.apply("teleport");
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(has(unknown.error().text(), "no rule 'teleport'"));
  const auto useless = book.apply("tabulate");
  ASSERT_FALSE(useless);
  EXPECT_TRUE(has(useless.error().text(), "tabulate"));
}

TEST(RuleBook, RefusesSourcesThatDoNotParse) {
  RuleContext context = square(product);
  context.source = "void f(";
  EXPECT_FALSE(RuleBook::read(context));
  context.source = "void g() {}\n";
  EXPECT_FALSE(RuleBook::read(context));
}

TEST(RuleBook, OffersFlagsWhereLoopsAreNotUnderstood) {
  RuleContext context = square("  int i = 0;\n  while (i < n) { y[i] = x[i]; ++i; }\n");
  const auto proposals = read(context).propose("", {}, 5);
  ASSERT_FALSE(proposals.empty());
  for (const RuleProposal& proposal : proposals)
    EXPECT_TRUE(!proposal.extra_flags.empty() || has(proposal.recipe, "restrict")) << proposal.recipe;
}

TEST(RuleBook, ProposesTheStrongestFirstAndEachOnce) {
  const RuleBook book = read(square(product));
  const auto proposals = book.propose("", {}, 12);
  ASSERT_GE(proposals.size(), 5u);
  EXPECT_TRUE(has(proposals[0].recipe, "contract"));
  std::set<std::string> kinds, identities;
  for (const RuleProposal& proposal : proposals) {
    std::string identity = proposal.source;
    for (const std::string& flag : proposal.extra_flags) identity += flag;
    EXPECT_TRUE(identities.insert(identity).second) << proposal.recipe;
    EXPECT_FALSE(proposal.hypothesis.empty());
    EXPECT_FALSE(proposal.strategies.empty());
    kinds.insert(proposal.kind);
  }
  EXPECT_GE(kinds.size(), 3u);
}

TEST(RuleBook, IsDeterministic) {
  const auto first = read(square(product)).propose("", {}, 8),
             second = read(square(product)).propose("", {}, 8);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].source, second[i].source);
}

TEST(RuleBook, DoesNotRepeatWhatWasTried) {
  const RuleBook book = read(square(product));
  std::vector<RuleOutcome> tried;
  std::set<std::string> seen;
  std::string best;
  for (int round = 0; round < 6; ++round)
    for (const RuleProposal& proposal : book.propose(best, tried, 3)) {
      EXPECT_TRUE(seen.insert(proposal.recipe).second) << proposal.recipe;
      tried.push_back({proposal.recipe, Verdict::ok, 2.0});
      if (best.empty()) best = proposal.recipe;
    }
  EXPECT_EQ(tried.size(), 18u);
}

TEST(RuleBook, RefinesTheBestRecipe) {
  const RuleBook book = read(square(product));
  const std::string best = book.propose("", {}, 1)[0].recipe;
  const auto next = book.propose(best, {{best, Verdict::ok, 30.0}}, 3);
  ASSERT_EQ(next.size(), 3u);
  EXPECT_TRUE(has(next[0].recipe, "contract("));
}

TEST(RuleBook, PutsWhatFailedLast) {
  const RuleBook book = read(square(product));
  const auto before = book.propose("", {}, 1);
  const auto after = book.propose("", {{before[0].recipe, Verdict::wrong_result, 0}}, 1);
  ASSERT_EQ(after.size(), 1u);
  EXPECT_FALSE(has(after[0].recipe, "contract"));
}

TEST(RuleBook, RunsDryInTheEnd) {
  const RuleBook book = read(square("  y[0] = x[0];\n"));
  EXPECT_LT(book.propose("", {}, 1000).size(), 30u);
}

TEST(RuleBook, KeepsCommentsAndTheRestOfTheFile) {
  const std::string source = made(square(product, "// Above.\nstatic int unused = 3;\n"), "parallel");
  EXPECT_TRUE(has(source, "// Above.\nstatic int unused = 3;\n"));
  EXPECT_TRUE(has(source, "// The product."));
}

const char* const transposition =
    "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) y[j * n + i] = A[i * n + j];\n";

TEST(RuleBook, TilesComeAfterTheOtherOpenings) {
  const auto proposals = read(square(transposition)).propose("", {}, 20);
  std::size_t first = 0;
  while (first < proposals.size() && !has(proposals[first].recipe, "tile(")) ++first;
  ASSERT_LT(first, proposals.size());
  EXPECT_GE(first, 4u);
  EXPECT_TRUE(has(proposals[first].recipe, "tile(size=64);parallel;simd")) << proposals[first].recipe;
  EXPECT_EQ(proposals[first].kind, "tiling");
  EXPECT_EQ(proposals[first].params.at("tile.size"), "64");
  EXPECT_NE(std::find(proposals[first].strategies.begin(), proposals[first].strategies.end(), "cache tiling"),
            proposals[first].strategies.end());
}

TEST(RuleBook, PackedTilesLeaveNoRoomForCacheTiles) {
  const RuleBook book = read(square(product));
  const std::string best = book.propose("", {}, 1)[0].recipe;
  for (const RuleProposal& proposal : book.propose(best, {{best, Verdict::ok, 30}}, 12))
    EXPECT_FALSE(has(proposal.recipe, "tile(")) << proposal.recipe;
}

// The sizes of the next tiles, given the speed-ups of those tried.
std::vector<std::string> next_sizes(const std::map<int, double>& speedups) {
  const RuleBook book = read(square(transposition));
  std::vector<RuleOutcome> tried = {{"parallel;simd", Verdict::ok, 1.5}};
  std::string best = tried[0].recipe;
  double fastest = tried[0].speedup;
  for (const auto& [size, speedup] : speedups) {
    tried.push_back({"tile(size=" + std::to_string(size) + ");parallel;simd", Verdict::ok, speedup});
    if (speedup > fastest) best = tried.back().recipe;
    fastest = std::max(fastest, speedup);
  }
  std::vector<std::string> sizes;
  for (const RuleProposal& proposal : book.propose(best, tried, 30)) {
    const auto found = proposal.params.find("tile.size");
    if (found != proposal.params.end() && !std::count(sizes.begin(), sizes.end(), found->second))
      sizes.push_back(found->second);
  }
  return sizes;
}

TEST(RuleBook, SweepsTileSizesTowardsTheFastest) {
  using Sizes = std::vector<std::string>;
  EXPECT_EQ(next_sizes({}), (Sizes{"64", "32", "128", "16"}));
  const Sizes up = next_sizes({{32, 2.0}, {64, 2.5}, {128, 3.0}}), down = next_sizes({{16, 3.0}, {64, 2.0}});
  EXPECT_TRUE(std::count(up.begin(), up.end(), "256"));
  EXPECT_TRUE(std::count(down.begin(), down.end(), "8"));
}

TEST(RuleBook, StopsTheSweepWhereTilesLose) {
  for (const std::string& size : next_sizes({{32, 0.7}, {64, 0.8}})) EXPECT_EQ(size, "64");
}

TEST(RuleBook, UsesTheContextsTypes) {
  RuleContext context = square("");
  context.context = "typedef double real;\n#define SIZE 512\n";
  context.source =
      "extern \"C\" void f(const real* A, real* y) {\n  for (int i = 0; i < SIZE; ++i)\n"
      "    for (int j = 0; j < SIZE; ++j) y[i * SIZE + j] = 2.0 * A[i * SIZE + j];\n}\n";
  context.spec.params = {buffer("A", "const real*", "262144", Role::in),
                         buffer("y", "real*", "262144", Role::out)};
  EXPECT_TRUE(has(made(context, "simd"), "i < SIZE"));
}

TEST(RuleBook, AvoidsNamesThatTheSourceUses) {
  const std::string body =
      std::string("  int row = 0, column = 0, tile = row + column;\n  y[tile] = 0;\n") + product;
  const std::string source = made(square(body), "localise;contract");
  EXPECT_TRUE(has(source, "row2"));
}

TEST(RuleBook, InlinesHelpersWithDistinctBuffers) {
  const std::string helper =
      "static void scale(int n, const double* from, double* to) {\n"
      "  for (int i = 0; i < n * n; ++i) to[i] = 2.0 * from[i];\n}\n";
  const std::string source =
      made(square("  for (int t = 0; t < 9; ++t) scale(n, A, y);\n", helper), "inline;team");
  EXPECT_TRUE(has(source, "y[i] = 2.0 * A[i]"));
  EXPECT_FALSE(has(source, "static void scale"));
  EXPECT_TRUE(has(made(square("  scale(n, A, y);\n", "// The whole file.\n" + helper), "inline;simd"),
                  "// The whole file.\n"));
}

// As a completed hotspot has it: the kernel as it was cut out, and an entry that calls it.
TEST(RuleBook, TakesAFunctionThatIsNotStaticForAHelper) {
  const std::string kernel =
      "void scale(int n, const double* from, double* to) {\n"
      "  for (int i = 0; i < n * n; ++i) to[i] = 2.0 * from[i];\n}\n";
  const RuleContext context = square("  scale(n, A, y);\n", kernel);
  EXPECT_TRUE(applies(context, "parallel"));
  EXPECT_TRUE(has(made(context, "inline;simd"), "y[i] = 2.0 * A[i]"));
}

TEST(RuleBook, DoesNotTrustHelpersCalledWithOneBufferTwice) {
  const std::string helper =
      "static void shift(int n, const double* from, double* to) {\n"
      "  for (int i = 1; i < n * n; ++i) to[i] = from[i - 1];\n}\n";
  EXPECT_FALSE(applies(square("  shift(n, y, y);\n", helper), "parallel"));
  EXPECT_FALSE(applies(square("  shift(n, y, y);\n", helper), "inline;parallel"));
}

}  // namespace
}  // namespace noctune
