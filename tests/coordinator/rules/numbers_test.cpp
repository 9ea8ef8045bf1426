// Everything that the rules propose for the shipped hotspots builds without warnings and computes the same.
#include <gtest/gtest.h>

#include <cstdlib>

#include "coordinator/rules/trial.hpp"

namespace noctune {
namespace {

using namespace rules_test;

class ProposedNumbers : public testing::TestWithParam<std::string> {};

double tolerance_of(const Hotspot& hotspot) {
  for (const ParamSpec& param : hotspot.context.spec.params)
    if (param.is_pointer() && param.type.find("float") != std::string::npos) return 1e-5;
  return 1e-13;
}

// The openings, and then what refines the first of them.
std::vector<RuleProposal> many_proposals(const RuleBook& book) {
  std::vector<RuleProposal> proposals = book.propose("", {}, 7);
  std::vector<RuleOutcome> tried;
  for (const RuleProposal& proposal : proposals) tried.push_back({proposal.recipe, Verdict::ok, 1});
  const auto refined = proposals.empty() ? proposals : book.propose(proposals[0].recipe, tried, 6);
  proposals.insert(proposals.end(), refined.begin(), refined.end());
  return proposals;
}

TEST_P(ProposedNumbers, AgreeWithTheOriginal) {
  const Hotspot hotspot = load_hotspot(GetParam());
  const auto book = RuleBook::read(hotspot.context);
  ASSERT_TRUE(book) << book.error().text();
  const std::vector<RuleProposal> proposals = many_proposals(*book);
  ASSERT_GE(proposals.size(), 3u);
  const Trial trial(hotspot, proposals);
  ASSERT_FALSE(hotspot.cases.empty());
  for (std::size_t i = 0; i < proposals.size(); ++i)
    for (const auto& sizes : hotspot.cases)
      EXPECT_LE(trial.error_of(i + 1, sizes), tolerance_of(hotspot)) << proposals[i].recipe << "\n"
                                                                     << proposals[i].source;
}

// Shapes with more blocks than the cases of the specs have.
TEST(Numbers, AgreeForLongAndFlatMatrices) {
  const Hotspot gemm = load_hotspot("gemm"), syrk = load_hotspot("syrk"), doitgen = load_hotspot("doitgen");
  const auto versions = [](const Hotspot& hotspot) {
    const auto book = value_or_throw(RuleBook::read(hotspot.context));
    return std::vector<RuleProposal>{
        value_or_throw(book.apply("localise;contract")),
        value_or_throw(book.apply("localise;contract(block=8,panels=1,rows=3,vectors=2)"))};
  };
  const Trial gemms(gemm, versions(gemm)), syrks(syrk, versions(syrk)), doitgens(doitgen, versions(doitgen));
  for (std::size_t i = 1; i <= 2; ++i) {
    EXPECT_LE(gemms.error_of(i, {{"m", 1100}, {"n", 70}, {"k", 9}}), 1e-13);
    EXPECT_LE(gemms.error_of(i, {{"m", 5}, {"n", 900}, {"k", 1}}), 1e-13);
    EXPECT_LE(syrks.error_of(i, {{"n", 900}, {"k", 5}}), 1e-13);
    EXPECT_LE(doitgens.error_of(i, {{"nr", 31}, {"nq", 40}, {"np", 61}}), 1e-13);
  }
}

Hotspot kernel(const std::string& name, const std::string& signature, const std::string& body,
               const std::vector<ParamSpec>& params) {
  Hotspot hotspot;
  hotspot.name = name;
  hotspot.context.source = "extern \"C\" void " + name + "(" + signature + ") {\n" + body + "}\n";
  hotspot.context.entry = hotspot.context.spec.entry = name;
  hotspot.context.flags = {"-O3", "-march=native", "-fopenmp"};
  hotspot.context.spec.params = params;
  return hotspot;
}

ParamSpec value_param(const std::string& name) {
  ParamSpec param;
  param.name = name;
  param.type = "int";
  param.value = name;
  return param;
}

ParamSpec buffer(const std::string& name, const std::string& type, const std::string& count, Role role) {
  ParamSpec param;
  param.name = name;
  param.type = type;
  param.count = count;
  param.role = role;
  param.live_out = role != Role::in;
  return param;
}

void expect_same_numbers(const Hotspot& hotspot, const std::vector<std::string>& recipes,
                         const std::vector<std::map<std::string, long long>>& shapes) {
  const auto book = value_or_throw(RuleBook::read(hotspot.context));
  std::vector<RuleProposal> versions;
  for (const std::string& recipe : recipes) versions.push_back(value_or_throw(book.apply(recipe)));
  const Trial trial(hotspot, versions);
  for (std::size_t i = 0; i < versions.size(); ++i)
    for (const auto& sizes : shapes)
      EXPECT_LE(trial.error_of(i + 1, sizes), 1e-13) << recipes[i] << "\n" << versions[i].source;
}

TEST(Tiles, AgreeForATransposition) {
  Hotspot hotspot =
      kernel("transpose", "int m, int n, const double* A, double* B",
             "  for (int i = 0; i < m; ++i)\n    for (int j = 0; j < n; ++j) B[j * m + i] = A[i "
             "* n + j];\n",
             {value_param("m"), value_param("n"), buffer("A", "const double*", "m*n", Role::in),
              buffer("B", "double*", "m*n", Role::out)});
  hotspot.context.sizes = {{"m", 3000}, {"n", 3000}};
  expect_same_numbers(
      hotspot,
      {"tile;parallel;simd", "tile(size=16);parallel(collapse=2);restrict", "tile(loops=i+j,size=1000);simd",
       "tile(loops=j,size=3);parallel", "tile(size=24);interchange@i;parallel;simd"},
      {{{"m", 131}, {"n", 97}}, {{"m", 1}, {"n", 65}}, {{"m", 64}, {"n", 128}}, {{"m", 5}, {"n", 1}}});
}

TEST(Tiles, AgreeForAProductThatIsNoContraction) {
  // Packed tiles do not apply to a loop that counts from 1 in twos.
  Hotspot product = kernel(
      "product", "int m, int n, int k, const double* A, const double* B, double* C",
      "  for (int i = 0; i < m; ++i)\n    for (int j = 0; j < n; ++j) {\n      C[i * n + j] = 1.0;\n"
      "      for (int p = 1; p < k; p += 2) C[i * n + j] += A[i * k + p] * B[p * n + j];\n    }\n",
      {value_param("m"), value_param("n"), value_param("k"), buffer("A", "const double*", "m*k", Role::in),
       buffer("B", "const double*", "k*n", Role::in), buffer("C", "double*", "m*n", Role::out)});
  product.context.sizes = {{"m", 600}, {"n", 600}, {"k", 600}};
  expect_same_numbers(
      product,
      {"tile(loops=i+j+p,size=16);localise;parallel;simd", "tile(loops=j+p,size=33);parallel;simd",
       "rows;tile;hoist;parallel;simd", "tile(loops=i+p,size=500);parallel;simd;restrict",
       "tile(loops=i+j,size=12);localise;jam(rows=4);parallel",
       "tile(loops=i+j+p,size=10);jam(rows=3);parallel;simd"},
      {{{"m", 67}, {"n", 45}, {"k", 39}},
       {{"m", 1}, {"n", 17}, {"k", 1}},
       {{"m", 33}, {"n", 2}, {"k", 100}}});
}

TEST(Tiles, AgreeForASweepThatNeedsItsNeighbours) {
  Hotspot sweep =
      kernel("sweep", "int steps, int n, double* A",
             "  for (int t = 0; t < steps; ++t)\n    for (int i = 1; i < n - 1; ++i)\n"
             "      for (int j = 1; j <= n - 2; ++j)\n"
             "        A[i * n + j] = 0.5 * (A[(i - 1) * n + j] + A[i * n + j - 1]) + 0.1 * A[i * "
             "n + j];\n",
             {value_param("steps"), value_param("n"), buffer("A", "double*", "n*n", Role::inout)});
  sweep.context.sizes = {{"steps", 10}, {"n", 5000}};
  expect_same_numbers(sweep, {"tile", "tile(loops=i+j,size=5)", "tile(loops=j,size=8);restrict"},
                      {{{"steps", 3}, {"n", 41}}, {{"steps", 1}, {"n", 3}}, {{"steps", 2}, {"n", 2}}});
}

// In place, from each of the eight neighbours: legal unless the loops pull in opposite directions.
TEST(Tiles, AreRefusedOrAgreeForEveryNeighbour) {
  for (const int di : {-1, 0, 1})
    for (const int dj : {-1, 0, 1}) {
      const std::string neighbour =
          "A[(i + " + std::to_string(di) + ") * n + j + " + std::to_string(dj) + "]";
      Hotspot sweep = kernel("sweep", "int n, double* A",
                             "  for (int i = 1; i < n - 1; ++i)\n    for (int j = 1; j < n - 1; ++j)\n"
                             "      A[i * n + j] = 0.5 * A[i * n + j] + 0.4 * " +
                                 neighbour + ";\n",
                             {value_param("n"), buffer("A", "double*", "n*n", Role::inout)});
      sweep.context.sizes = {{"n", 3000}};
      const auto book = value_or_throw(RuleBook::read(sweep.context));
      const bool legal = static_cast<bool>(book.apply("tile(loops=i+j,size=4)"));
      EXPECT_EQ(legal, di * dj >= 0) << neighbour;
      std::vector<std::string> recipes = {"restrict"};
      for (const char* recipe :
           {"tile(loops=i+j,size=4)", "tile(loops=j,size=7)", "tile(loops=i+j,size=5);simd",
            "tile(loops=i+j,size=6);parallel;simd", "tile(loops=i+j,size=6);parallel"})
        if (book.apply(recipe)) recipes.push_back(recipe);
      expect_same_numbers(sweep, recipes, {{{"n", 43}}, {{"n", 3}}, {{"n", 2}}});
    }
}

// Whatever the plan makes of kernels with tiles, round after round.
TEST(Tiles, AgreeInEveryRoundOfThePlan) {
  Hotspot hotspot =
      kernel("powers", "int n, const double* A, double* B, double* C",
             "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) B[j * n + i] = A[i * n + j];\n"
             "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) {\n      C[i * n + j] *= 0.5;\n"
             "      for (int p = 0; p < n; p += 1) C[i * n + j] += A[i * n + p] / B[p * n + j];\n    }\n",
             {value_param("n"), buffer("A", "const double*", "n*n", Role::in),
              buffer("B", "double*", "n*n", Role::out), buffer("C", "double*", "n*n", Role::inout)});
  hotspot.context.sizes = {{"n", 900}};
  const auto book = value_or_throw(RuleBook::read(hotspot.context));
  std::vector<RuleProposal> versions;
  std::vector<RuleOutcome> tried;
  std::string best;
  std::size_t tiled = 0;
  for (int round = 0; round < 6; ++round) {
    const auto some = book.propose(best, tried, 6);
    for (const RuleProposal& version : some) {
      tried.push_back({version.recipe, Verdict::ok, 1});
      tiled += version.recipe.find("tile(") != std::string::npos;
      if (version.recipe.find("tile(") != std::string::npos) tried.back().speedup = 3;
      if (best.empty() || tried.back().speedup > 1) best = version.recipe;
    }
    versions.insert(versions.end(), some.begin(), some.end());
  }
  EXPECT_GE(tiled, 6u);
  const Trial trial(hotspot, versions);
  for (std::size_t i = 0; i < versions.size(); ++i)
    for (const long long n : {1, 2, 71})
      EXPECT_LE(trial.error_of(i + 1, {{"n", n}}), 1e-13) << versions[i].recipe << "\n" << versions[i].source;
}

// Tiles that are larger and smaller than the cases of the shipped hotspots, wherever they are legal there.
TEST_P(ProposedNumbers, AgreeWithTilesInFrontOfEveryOpening) {
  Hotspot hotspot = load_hotspot(GetParam());
  hotspot.context.l1_bytes = 64;
  for (auto& [name, value] : hotspot.context.sizes) value = std::max(value, 300LL);
  const auto book = value_or_throw(RuleBook::read(hotspot.context));
  std::vector<RuleProposal> versions;
  for (const char* recipe :
       {"tile(size=16)", "tile(size=16);parallel", "tile(size=30);localise;partials;hoist;simd",
        "inline;rows;fuse;tile(size=8);hoist;parallel;jam(rows=4);simd",
        "inline;tile(size=50);localise;jam(rows=4);parallel;simd", "inline;tile(size=16);team;peel;simd"})
    for (std::string shorter = recipe;; shorter.resize(shorter.rfind(';'))) {
      if (auto version = book.apply(shorter)) {
        versions.push_back(std::move(*version));
        break;
      }
      if (shorter.find(';') == std::string::npos) break;
    }
  if (versions.empty()) return;  // no nest of two loops
  const Trial trial(hotspot, versions);
  for (std::size_t i = 0; i < versions.size(); ++i)
    for (const auto& sizes : hotspot.cases)
      EXPECT_LE(trial.error_of(i + 1, sizes), tolerance_of(hotspot)) << versions[i].recipe << "\n"
                                                                     << versions[i].source;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hotspots, ProposedNumbers, testing::ValuesIn(hotspot_names()), test_name);

// More threads than rows in the smallest cases, and more than one where the machine has a single core.
const bool threads_set =
    setenv("OMP_NUM_THREADS", "3", 1) == 0 && setenv("OMP_WAIT_POLICY", "passive", 1) == 0;

}  // namespace
}  // namespace noctune
