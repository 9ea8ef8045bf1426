// What the rules must refuse, and what they may do.
#include "coordinator/rules/kernels.hpp"

namespace noctune {
namespace {

using namespace rules_test;

TEST(Parallel, TakesIndependentRows) {
  const std::string source = made(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n"
                                         "      y[i * n + j] = A[i * n + j] + x[j];\n"),
                                  "parallel");
  EXPECT_TRUE(has(source, "#pragma omp parallel for\n  for (int i = 0; i < n; ++i) {"));
}

TEST(Parallel, RefusesARecurrence) {
  EXPECT_FALSE(applies(square("  for (int i = 1; i < n * n; ++i) y[i] = y[i - 1] + A[i];\n"), "parallel"));
}

TEST(Parallel, FindsTheIndependentInnerLoopOfARecurrence) {
  const RuleContext context = square(
      "  for (int i = 1; i < n; ++i)\n    for (int j = 0; j < n * n; ++j)\n"
      "      y[j] = y[j] * 0.5 + A[j];\n");
  const std::string source = made(context, "parallel");
  EXPECT_TRUE(has(source, "#pragma omp parallel for\n    for (int j"));
  EXPECT_FALSE(has(source, "#pragma omp parallel for\n  for (int i"));
}

TEST(Parallel, RefusesRowsThatMayOverlap) {
  // Row i ends at i * n + m, and nothing says that m < n.
  RuleContext context = square("");
  context.source =
      "extern \"C\" void f(int n, int m, double* y) {\n  for (int i = 0; i < n; ++i)\n"
      "    for (int j = 0; j < m; ++j) y[i * n + j] = y[i * n + j] * 2.0 + i;\n}\n";
  context.spec.params = {value_param("n"), value_param("m"), buffer("y", "double*", "n*m", Role::inout)};
  context.sizes = {{"n", 2000}, {"m", 2000}};
  EXPECT_FALSE(applies(context, "parallel"));
}

TEST(Parallel, RefusesIndirectWrites) {
  RuleContext context = square("");
  context.source =
      "extern \"C\" void f(int n, const int* to, const double* x, double* y) {\n"
      "  for (int i = 0; i < n; ++i) y[to[i]] = x[i];\n}\n";
  context.spec.params = {value_param("n"), buffer("to", "const int*", "n", Role::in),
                         buffer("x", "const double*", "n", Role::in),
                         buffer("y", "double*", "n", Role::inout)};
  context.sizes = {{"n", 1000000}};
  EXPECT_FALSE(applies(context, "parallel"));
  EXPECT_FALSE(applies(context, "partials"));
  EXPECT_FALSE(applies(context, "simd"));
}

TEST(Parallel, KeepsIndirectReads) {
  RuleContext context = square("");
  context.source =
      "extern \"C\" void f(int n, const int* from, const double* x, double* y) {\n"
      "  for (int i = 0; i < n; ++i) y[i] = x[from[i]];\n}\n";
  context.spec.params = {value_param("n"), buffer("from", "const int*", "n", Role::in),
                         buffer("x", "const double*", "n", Role::in), buffer("y", "double*", "n", Role::out)};
  context.sizes = {{"n", 1000000}};
  EXPECT_TRUE(applies(context, "parallel"));
}

TEST(Parallel, ReducesAScalarAndRefusesOneThatIsRead) {
  EXPECT_TRUE(has(made(square("  double s = 0;\n  for (int i = 0; i < n * n; ++i) s += A[i];\n  y[0] = s;\n"),
                       "parallel"),
                  "reduction(+: s)"));
  EXPECT_FALSE(applies(
      square("  double s = 0;\n  for (int i = 0; i < n * n; ++i) { s += A[i]; y[i] = s; }\n"), "parallel"));
}

TEST(Parallel, PrivatisesAScalarThatEveryIterationWritesFirst) {
  const std::string source = made(
      square("  double s;\n  for (int i = 0; i < n * n; ++i) { s = A[i]; y[i] = s * s; }\n"), "parallel");
  EXPECT_TRUE(has(source, "private(s)"));
}

TEST(Parallel, RefusesALastValueThatIsUsedLater) {
  EXPECT_FALSE(applies(
      square("  double s = 0;\n  for (int i = 0; i < n * n; ++i) { s = A[i]; y[i] = s; }\n  y[0] = s;\n"),
      "parallel"));
}

TEST(Parallel, RefusesUnknownCallsAndOpaqueStatements) {
  EXPECT_FALSE(
      applies(square("  for (int i = 0; i < n * n; ++i) y[i] = next();\n", "double next();\n"), "parallel"));
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n * n; ++i) { if (A[i] < 0) break; y[i] = A[i]; }\n"),
                       "parallel"));
  EXPECT_FALSE(
      applies(square("  for (int i = 0; i < n * n; ++i) { double* p = y + i; *p = A[i]; }\n"), "parallel"));
}

TEST(Parallel, AcceptsPureHelpers) {
  EXPECT_TRUE(applies(square("  for (int i = 0; i < n * n; ++i) y[i] = squared(A[i]);\n",
                             "static double squared(double v) { return v * v; }\n"),
                      "parallel"));
}

TEST(Parallel, RefusesBuffersThatNobodyCallsDistinct) {
  RuleContext context = square("  for (int i = 0; i < n * n; ++i) y[i] = A[i];\n");
  context.spec.params.clear();
  EXPECT_FALSE(applies(context, "parallel"));
}

TEST(Parallel, LeavesOtherDirectivesAlone) {
  for (const char* pragma : {"#pragma omp parallel for firstprivate(n)", "#pragma omp parallel for if(n > 9)",
                             "#pragma omp simd", "#pragma GCC ivdep", "#ifdef FAST\n#endif"}) {
    SCOPED_TRACE(pragma);
    const RuleContext context =
        square(std::string(pragma) + "\n  for (int i = 0; i < n * n; ++i) y[i] = A[i];\n");
    EXPECT_FALSE(applies(context, "parallel"));
    EXPECT_FALSE(applies(context, "simd"));
  }
}

// The author's threads: the loop is read as if it were sequential, and keeps its team.
TEST(KeptThreads, StayWhereAStepChangesSomethingElse) {
  const std::string rows =
      "  for (int i = 0; i < n; ++i) {\n    y[i] = 0.0;\n"
      "    for (int j = 0; j < n; ++j) y[i] += A[i * n + j];\n  }\n";
  for (const char* pragma :
       {"#pragma omp parallel for", "  # pragma omp parallel for schedule(static, 4) default(shared)",
        "#pragma omp parallel for collapse(1)"}) {
    const RuleContext context = square(std::string(pragma) + "\n" + rows);
    EXPECT_EQ(made(context, ""), context.source);
    const std::string source = made(context, "localise;simd");
    EXPECT_TRUE(has(source, "#pragma omp parallel for\n  for (int i = 0")) << source;
    EXPECT_TRUE(has(source, "#pragma omp simd")) << source;
  }
}

TEST(KeptThreads, MayBeSharedInAnotherWay) {
  const RuleContext context =
      square("#pragma omp parallel for\n  for (int i = 0; i < n * n; ++i) y[i] = A[i];\n");
  EXPECT_TRUE(has(made(context, "parallel(schedule=guided)"), "#pragma omp parallel for schedule(guided)"));
}

TEST(KeptThreads, GoWithVectors) {
  const RuleContext context =
      square("#pragma omp parallel for\n  for (int i = 0; i < n * n; ++i) y[i] = A[i];\n");
  const std::string source = made(context, "simd");
  EXPECT_TRUE(has(source, "#pragma omp parallel for simd\n  for (int i")) << source;
}

TEST(KeptThreads, NeverTwice) {
  const RuleContext context = square(
      "  for (int i = 0; i < n; ++i) {\n#pragma omp parallel for\n"
      "    for (int j = 0; j < n; ++j) y[i * n + j] = A[i * n + j];\n  }\n");
  const std::string source = made(context, "parallel");
  EXPECT_TRUE(has(source, "#pragma omp parallel for\n  for (int i")) << source;
  EXPECT_FALSE(has(source, "#pragma omp parallel for\n    for (int j")) << source;
}

// Elimination in place: that i > k keeps rows apart is more than the rules can show.
std::string elimination(const std::string& pragma) {
  return "  for (int k = 0; k < n - 1; ++k) {\n" + pragma +
         "    for (int i = k + 1; i < n; ++i) {\n      for (int j = k + 1; j < n; ++j) {\n"
         "        y[i * n + j] -= y[i * n + k] * y[k * n + j];\n      }\n    }\n  }\n";
}

TEST(KeptThreads, AreBelieved) {
  EXPECT_FALSE(applies(square(elimination("")), "parallel"));
  const std::string source =
      made(square(elimination("#pragma omp parallel for\n")), "parallel(schedule=guided)");
  EXPECT_TRUE(has(source, "#pragma omp parallel for schedule(guided)\n    for (int i = k + 1")) << source;
}

TEST(KeptThreads, AMarkAboveWhatIsNotUnderstoodLeavesTheFunctionAlone) {
  const RuleContext context = square(
      "#pragma omp parallel for\n  for (int i = n; i > 0; --i) y[i - 1] = A[i - 1];\n"
      "  for (int i = 0; i < n * n; ++i) y[i] = A[i];\n");
  EXPECT_FALSE(applies(context, "parallel"));
}

TEST(Parallel, LeavesTinyLoopsAlone) {
  RuleContext context = square("  for (int i = 0; i < n; ++i) y[i] = x[i];\n");
  EXPECT_FALSE(applies(context, "parallel"));
}

TEST(Parallel, FollowsLocalNamesOfAffineSubscripts) {
  const std::string source = made(square("  for (int i = 0; i < n; ++i) {\n    const int row = i * n;\n"
                                         "    for (int j = 0; j < n; ++j) y[row + j] = A[row + j];\n  }\n"),
                                  "parallel");
  EXPECT_TRUE(has(source, "#pragma omp parallel for\n  for (int i"));
}

TEST(Parallel, ConcludesNothingFromOtherLocalNames) {
  EXPECT_FALSE(applies(square("  for (int i = 3; i < n * n; ++i) {\n    const int back = i * 7 % 3;\n    y[i "
                              "- back] = A[i];\n  }\n"),
                       "parallel"));
  EXPECT_FALSE(
      applies(square("  int at = 0;\n  for (int i = 0; i < n * n; ++i) { y[at] = A[i]; at += i % 2; }\n"),
              "parallel"));
  EXPECT_FALSE(
      applies(square("  for (int i = 0; i < n * n; ++i) { y[i + n] = A[i]; n = n - 1; }\n"), "parallel"));
}

TEST(Team, KeepsOneTeamOverTheTimeLoop) {
  const std::string source = made(
      square(
          "  for (int t = 0; t < 100; ++t) {\n    for (int i = 0; i < n * n; ++i) y[i] = y[i] * 0.5 + A[i];\n"
          "    for (int i = 0; i < n; ++i) y[i] = x[i];\n  }\n"),
      "team");
  EXPECT_TRUE(has(source, "#pragma omp parallel\n  for (int t"));
  EXPECT_TRUE(has(source, "#pragma omp for\n    for (int i"));
}

TEST(Team, RefusesSingleStatementsInTheTimeLoop) {
  EXPECT_FALSE(applies(
      square(
          "  for (int t = 0; t < 100; ++t) {\n    for (int i = 0; i < n * n; ++i) y[i] = y[i] * 0.5 + A[i];\n"
          "    y[0] = y[0] + 1.0;\n  }\n"),
      "team"));
}

TEST(Rows, TurnsAColumnWalkButNotATriangle) {
  const std::string source = made(square("  for (int j = 0; j < n; ++j) {\n    double s = 0.0;\n    for (int "
                                         "i = 0; i < n; ++i) s += A[i * n + j] * x[i];\n"
                                         "    y[j] = s;\n  }\n"),
                                  "rows");
  EXPECT_TRUE(has(source,
                  "  for (int i = 0; i < n; ++i) {\n    for (int j = 0; j < n; ++j) {\n      y[j] += A[i * n "
                  "+ j] * x[i];"));
  EXPECT_FALSE(applies(
      square("  for (int j = 0; j < n; ++j)\n    for (int i = 0; i < j; ++i) y[j] += A[i * n + j] * x[i];\n"),
      "rows"));
}

TEST(Interchange, RefusesASkewedDependence) {
  // y(i, j) needs y(i - 1, j + 1): the new order would read it too early.
  EXPECT_FALSE(applies(square("  for (int i = 1; i < n; ++i)\n    for (int j = 0; j < n - 1; ++j)\n"
                              "      y[i * n + j] = y[(i - 1) * n + j + 1] + A[i * n + j];\n"),
                       "interchange"));
}

TEST(Fuse, JoinsLoopsThatReadTheSameArrayButNotAcrossADependence) {
  const std::string two =
      "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) y[i] += A[i * n + j] * x[j];\n";
  RuleContext context =
      square(two + "  for (int k = 0; k < n; ++k)\n    for (int l = 0; l < n; ++l) y[k] += A[k * n + l];\n");
  EXPECT_FALSE(has(made(context, "fuse"), "int k"));
  // The second loop reads what later iterations of the first one write.
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n * n - 1; ++i) y[i] = A[i];\n  for (int i = 0; i < n * "
                              "n - 1; ++i) y[i] = y[i + 1] + A[i];\n"),
                       "fuse"));
}

TEST(Localise, RefusesAnElementThatTheLoopReadsOtherwise) {
  EXPECT_FALSE(applies(
      square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) y[i] += A[i * n + j] * y[j];\n"),
      "localise"));
}

TEST(Localise, DoesNotJoinElementsThatOnlyLookTheSame) {
  const std::string source =
      made(square("  int m = 0;\n  y[m] = 0.0;\n  m = 5;\n  for (int j = 0; j < n; ++j) y[m] += x[j];\n  "
                  "y[1] = 1.0;\n"
                  "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) y[i] += A[i * n + j];\n"),
           "localise");
  EXPECT_TRUE(has(source, "y[m] = 0.0;"));
}

TEST(Jam, RefusesUnsignedCounters) {
  // n - 3 would wrap around for small n.
  EXPECT_FALSE(applies(square("  for (unsigned i = 0; i < static_cast<unsigned>(n); ++i)\n    for (int j = "
                              "0; j < n; ++j) y[i] += A[i * n + j] * x[j];\n"),
                       "jam(rows=4)"));
}

TEST(Contract, RefusesFactorsThatAreStored) {
  EXPECT_TRUE(applies(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n      for (int "
                             "k = 0; k < n; ++k)\n"
                             "        y[i * n + j] += A[i * n + k] * A[k * n + j];\n"),
                      "localise;contract"));
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) {\n      "
                              "double s = 0;\n      for (int k = 0; k < n; ++k)\n"
                              "        s += y[i * n + k] * A[k * n + j];\n      y[i * n + j] = s;\n    }\n"),
                       "contract"));
}

TEST(Jam, RefusesIterationsThatDependOnEachOther) {
  EXPECT_FALSE(applies(square("  for (int i = 1; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n"
                              "      y[i * n + j] = y[(i - 1) * n + j] + x[j];\n"),
                       "jam(rows=4)"));
}

TEST(Jam, LeavesLoopsAloneThatShareNoLoads) {
  EXPECT_TRUE(applies(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) y[i * n + j] = "
                             "A[i * n + j] + x[j];\n"),
                      "jam(rows=4)"));
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) y[i * n + j] = "
                              "A[i * n + j] + 1.0;\n"),
                       "jam(rows=4)"));
}

const char* const transposition =
    "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) y[j * n + i] = A[i * n + j];\n";

TEST(Tile, CutsATranspositionAndGivesTilesToThreads) {
  const std::string source = made(square(transposition), "tile(loops=i+j,size=32);parallel;simd");
  EXPECT_TRUE(has(source,
                  "#pragma omp parallel for\n"
                  "  for (int i_tile = 0; i_tile < n; i_tile += 32) {\n"
                  "    for (int j_tile = 0; j_tile < n; j_tile += 32) {\n"
                  "      for (int i = i_tile; i < (n - i_tile > 32 ? i_tile + 32 : n); ++i) {\n"
                  "#pragma omp simd\n"
                  "        for (int j = j_tile; j < (n - j_tile > 32 ? j_tile + 32 : n); ++j) {\n"))
      << source;
}

TEST(Tile, ChoosesLoopsWhoseDataOutgrowTheCache) {
  EXPECT_TRUE(has(made(square(transposition), "tile"), "j_tile += 64"));
  RuleContext small = square(transposition);
  small.sizes = {{"n", 100}};
  EXPECT_FALSE(applies(small, "tile"));
  EXPECT_TRUE(applies(small, "tile(loops=i+j)"));
  EXPECT_TRUE(applies(square(transposition), "tile@i(size=32)"));
  // Nothing is used twice, and everything is walked along its rows.
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n"
                              "      y[i * n + j] = 2.0 * A[i * n + j];\n"),
                       "tile"));
}

TEST(Tile, SplitsInitialisationsOffAndLeavesTheOuterLoopWhole) {
  const std::string source =
      made(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j) {\n      y[i * n + j] = "
                  "0.0;\n      for (int k = 0; k < n; ++k) y[i * n + j] += A[i * n + k] * A[k * n + j];\n    "
                  "}\n"),
           "tile(loops=j+k,size=48);parallel");
  EXPECT_TRUE(has(source, "for (int j_tile = 0; j_tile < n; j_tile += 48) {\n    for (int k_tile")) << source;
  EXPECT_TRUE(has(source, "k_tile += 48) {\n      for (int i = 0; i < n; ++i) {")) << source;
  EXPECT_TRUE(has(source, "#pragma omp parallel for\n  for (int j_tile")) << source;
}

TEST(Tile, RefusesAWavefront) {
  const RuleContext skewed = square(
      "  for (int i = 1; i < n; ++i)\n    for (int j = 0; j < n - 1; ++j)\n"
      "      y[i * n + j] = y[(i - 1) * n + j + 1] + A[i * n + j];\n");
  for (const char* recipe : {"tile", "tile(loops=i+j)", "tile(loops=j)", "tile(loops=i+j,size=2)"})
    EXPECT_FALSE(applies(skewed, recipe)) << recipe;
}

TEST(Tile, KeepsAForwardDependenceButNotInParallel) {
  const RuleContext sweep = square(
      "  for (int i = 1; i < n; ++i)\n    for (int j = 1; j < n; ++j)\n"
      "      y[i * n + j] = y[(i - 1) * n + j] + y[i * n + j - 1] + x[j];\n");
  EXPECT_TRUE(applies(sweep, "tile(loops=i+j)"));
  EXPECT_FALSE(applies(sweep, "tile(loops=i+j);parallel"));
  EXPECT_FALSE(applies(sweep, "tile(loops=i+j);simd"));
}

TEST(Tile, RefusesADependenceAcrossTwoLoopsOfUnknownDistance) {
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n"
                              "      y[i * j] = y[i * j] * 0.5 + A[i * n + j];\n"),
                       "tile(loops=i+j)"));
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n"
                              "      y[n - 1 - i] = y[j] + A[i * n + j];\n"),
                       "tile(loops=i+j)"));
}

TEST(Tile, RefusesScalarsTrianglesAndWhatIsTiledOrMarkedAlready) {
  EXPECT_FALSE(applies(square("  double s = 0;\n  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; "
                              "++j) s += A[j * n + i];\n  y[0] = s;\n"),
                       "tile(loops=i+j)"));
  const RuleContext triangle = square(
      "  for (int i = 0; i < n; ++i)\n    for (int j = 0; j <= i; ++j) y[j * n + i] = A[i * n + j];\n");
  EXPECT_FALSE(applies(triangle, "tile(loops=i+j)"));
  EXPECT_FALSE(applies(triangle, "tile(loops=j)"));
  const RuleContext context = square(transposition);
  EXPECT_FALSE(applies(context, "tile(loops=i+j);tile(loops=i+j,size=8)"));
  EXPECT_FALSE(applies(context, "tile;tile"));
  EXPECT_FALSE(applies(context, "parallel;tile"));
}

TEST(Tile, RefusesLoopsThatAreNotNestedAndSenselessSizes) {
  const RuleContext context = square(transposition);
  for (const char* recipe :
       {"tile(loops=j+i)", "tile(loops=i+k)", "tile(loops=k)", "tile@j(loops=i+j)", "tile@k(size=32)",
        "tile(loops=i)", "tile(loops=i+i)", "tile(loops=i+j,size=1)", "tile(loops=i+j,size=0)",
        "tile(loops=i+j,size=-4)", "tile(loops=i+j,size=100000)", "tile(loops=+)"})
    EXPECT_FALSE(applies(context, recipe)) << recipe;
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n * n; ++i) y[i] = A[i];\n"), "tile(loops=i)"));
}

TEST(Tile, LeavesNarrowCountersAndMixedSignsAlone) {
  EXPECT_FALSE(applies(square("  for (short i = 0; i < 30000; ++i)\n    for (short j = 0; j < 9; ++j) y[j * "
                              "30000 + i] = A[i * 9 + j];\n"),
                       "tile(loops=i+j)"));
  EXPECT_FALSE(applies(square("  for (unsigned i = 0; i < n; ++i)\n    for (unsigned j = 0; j < n; ++j) "
                              "y[j * n + i] = A[i * n + j];\n"),
                       "tile(loops=i+j)"));
}

TEST(Peel, RefusesGuardsThatDependOnData) {
  EXPECT_FALSE(applies(square("  for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n      for "
                              "(int k = 0; k < 3; ++k)\n"
                              "        if (A[j] > 0) y[i * n + j] += x[k];\n"),
                       "peel"));
}

}  // namespace
}  // namespace noctune
