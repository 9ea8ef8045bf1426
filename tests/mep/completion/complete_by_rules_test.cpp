#include "mep/completion/complete_by_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/json.hpp"
#include "mep/case.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CompletionInput input_of(const std::string& source, const std::string& call_site = {},
                         std::vector<std::string> kernels = {}) {
  CompletionInput input;
  input.hotspot = "test";
  input.file = "source.cpp";
  input.source = source;
  input.backend = "openmp";
  input.call_site = call_site;
  input.kernels = std::move(kernels);
  return input;
}

MepDraft completed(const CompletionInput& input) {
  const Result<MepDraft> draft = complete_by_rules(input);
  EXPECT_TRUE(draft.has_value()) << (draft ? "" : draft.error().text());
  if (!draft) return {};
  // What was found reads back as it is, and every case can be resolved.
  const std::string text = to_json(draft->spec).dump();
  const MepSpec back = read_mep_spec(*parse_json(text, "draft"));
  EXPECT_EQ(to_json(back).dump(), text);
  for (const CaseSpec& one : back.cases) {
    const Result<ResolvedCase> resolved = resolve_case(back, one, {}, 1);
    EXPECT_TRUE(resolved.has_value()) << (resolved ? "" : resolved.error().text());
  }
  return *draft;
}

const ParamSpec& param(const MepDraft& draft, const std::string& name) {
  static const ParamSpec none;
  for (const ParamSpec& one : draft.spec.params)
    if (one.name == name) return one;
  ADD_FAILURE() << "no parameter " << name;
  return none;
}

const SizeSpec& size(const MepDraft& draft, const std::string& name) {
  static const SizeSpec none;
  for (const SizeSpec& one : draft.spec.sizes)
    if (one.name == name) return one;
  ADD_FAILURE() << "no size " << name;
  return none;
}

TEST(CompleteByRules, TakesAnEntryAsItIs) {
  const MepDraft draft = completed(input_of(R"(#include "missing.h"
extern "C" void scale(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i];
}
int main() { return 0; }
)"));
  EXPECT_EQ(draft.spec.entry, "scale");
  EXPECT_TRUE(draft.spec.sequence.empty());
  EXPECT_EQ(param(draft, "x").count, "n");
  EXPECT_EQ(param(draft, "y").role, Role::out);
  EXPECT_TRUE(size(draft, "n").scale);
  EXPECT_THAT(draft.original, ::testing::Not(HasSubstr("missing.h")));
  EXPECT_THAT(draft.original, ::testing::Not(HasSubstr("main")));
  EXPECT_EQ(draft.by, "rules");
}

TEST(CompleteByRules, WrapsAFunctionThatCannotBeTheEntry) {
  const MepDraft draft = completed(input_of(R"(
namespace grid {
static void sweep(int n, int m, float dt, float* u) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) u[i * m + j] *= dt;
}
})"));
  EXPECT_EQ(draft.spec.entry, "sweep_entry");
  ASSERT_EQ(draft.spec.sequence.size(), 1U);
  EXPECT_THAT(draft.original, HasSubstr("using namespace grid;"));
  EXPECT_THAT(draft.original, HasSubstr("extern \"C\" void sweep_entry("));
  EXPECT_EQ(*param(draft, "dt").value, "0.01");
}

TEST(CompleteByRules, MakesASparseMatrix) {
  const MepDraft draft = completed(input_of(R"(
void spmv(int rows, const int* ptr, const int* col, const double* val, const double* x, double* y) {
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int e = ptr[i]; e < ptr[i + 1]; ++e) sum += val[e] * x[col[e]];
    y[i] = sum;
  }
})"));
  ASSERT_EQ(draft.spec.data.size(), 1U);
  EXPECT_EQ(draft.spec.data[0].gen, "csr");
  EXPECT_EQ(param(draft, "ptr").init->part, "sparse.row_ptr");
  EXPECT_EQ(param(draft, "col").init->part, "sparse.col");
  EXPECT_EQ(param(draft, "val").init->part, "sparse.val");
  EXPECT_EQ(param(draft, "val").count, "sparse.nnz");
  EXPECT_EQ(param(draft, "x").count, "rows");
  EXPECT_THAT(draft.spec.check.depth, HasSubstr("sparse.nnz"));
}

TEST(CompleteByRules, BoundsGatheredPositions) {
  const MepDraft draft = completed(input_of(R"(
void gather(int np, int ncells, const int* cell, const float* field, float* out) {
  for (int p = 0; p < np; ++p) out[p] = field[cell[p] + 1] - field[cell[p]];
})"));
  EXPECT_EQ(param(draft, "field").count, "ncells+1");
  EXPECT_EQ(param(draft, "cell").init->expressions.at("high"), "ncells-1");
}

TEST(CompleteByRules, ScattersByAPermutation) {
  const MepDraft draft = completed(input_of(R"(
void reorder(int n, const int* slot, const double* a, double* b) {
  for (int i = 0; i < n; ++i) b[slot[i]] = a[i];
})"));
  EXPECT_EQ(param(draft, "slot").init->kind, InitSpec::Kind::permutation);
  EXPECT_EQ(param(draft, "b").count, "n");
}

TEST(CompleteByRules, FollowsTheHostsLoop) {
  const MepDraft draft = completed(input_of(R"(
void diffuse(int n, float c, const float* from, float* to) {
  for (int i = 1; i < n - 1; ++i) to[i] = from[i] + c * (from[i - 1] - 2 * from[i] + from[i + 1]);
})",
                                            "for (int t = 0; t < steps; ++t) {\n  diffuse(n, c, u, v);\n"
                                            "  std::swap(u, v);\n}\n"));
  EXPECT_EQ(draft.spec.scope, "region");
  ASSERT_EQ(draft.spec.sequence.size(), 1U);
  const StepSpec& loop = draft.spec.sequence[0];
  EXPECT_EQ(loop.kind, StepSpec::Kind::for_loop);
  EXPECT_EQ(loop.to, "steps");
  ASSERT_EQ(loop.steps.size(), 2U);
  EXPECT_EQ(loop.steps[1].kind, StepSpec::Kind::swap);
  EXPECT_EQ(param(draft, "u").role, Role::inout);
  EXPECT_FALSE(size(draft, "steps").scale);
}

TEST(CompleteByRules, PicksTheMiddleOfAnIndexThatNobodyExplains) {
  const MepDraft draft = completed(input_of(R"(
void column(int n, double* a, int k) {
  for (int i = k + 1; i < n; ++i) a[i * n + k] = a[i * n + k] / a[k * n + k];
})"));
  EXPECT_EQ(*param(draft, "k").value, "floor(n/2)");
  EXPECT_EQ(param(draft, "a").count, "n*n");
  EXPECT_THAT(draft.assumed, ::testing::Contains(HasSubstr("k is taken as half of n")));
  ASSERT_EQ(draft.spec.data.size(), 1U);
  EXPECT_EQ(draft.spec.data[0].fields.at("kind"), "dominant");
}

TEST(CompleteByRules, TiesAMacroToItsParameter) {
  const MepDraft draft = completed(input_of(R"(#define NY 900
void rows(int nx, int ny, float* a, float* s) {
  for (int i = 0; i < nx; ++i) {
    s[i] = 0;
    for (int j = 0; j < ny; ++j) s[i] += a[i * NY + j];
  }
})"));
  EXPECT_TRUE(size(draft, "ny").fixed);
  EXPECT_EQ(size(draft, "ny").value, 900);
  EXPECT_TRUE(size(draft, "nx").scale);
  EXPECT_EQ(param(draft, "a").count, "nx*ny");
}

TEST(CompleteByRules, SuppliesAliasesAndSizesThatTheBuildDefines) {
  const MepDraft draft = completed(input_of(R"(
void relax(const real* u, real* v) {
  for (int i = 1; i < NX - 1; ++i) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
})"));
  EXPECT_EQ(draft.spec.defines.at("real"), "double");
  EXPECT_EQ(draft.spec.defines.count("NX"), 1U);
  EXPECT_EQ(param(draft, "u").count, "NX");
}

TEST(CompleteByRules, ChoosesAnInstance) {
  const MepDraft draft = completed(input_of(R"(
template <typename T, int TAPS>
void fir(const T* in, T* out, int n) {
  for (int i = 0; i < n; ++i) {
    T sum = 0;
    for (int k = 0; k < TAPS; ++k) sum += in[i + k];
    out[i] = sum;
  }
})",
                                            "fir<float, 24>(a, b, n);"));
  EXPECT_EQ(draft.spec.sequence[0].name, "fir<float, 24>");
  EXPECT_EQ(param(draft, "in").type, "const float*");
  EXPECT_EQ(param(draft, "in").count, "n+23");
}

TEST(CompleteByRules, GivesEveryMemberARule) {
  const MepDraft draft = completed(input_of(R"(
struct Grid { int nx, ny; double dx; };
void step(Grid g, const double* u, double* v) {
  for (int j = 1; j < g.ny - 1; ++j)
    for (int i = 1; i < g.nx - 1; ++i) v[j * g.nx + i] = u[j * g.nx + i - 1] / g.dx;
})"));
  ASSERT_EQ(param(draft, "g").fields.size(), 3U);
  EXPECT_EQ(*param(draft, "g").fields[0].value, "nx");
  EXPECT_EQ(*param(draft, "g").fields[2].value, "0.5");
  EXPECT_EQ(param(draft, "v").count, "nx*ny");
  EXPECT_THAT(draft.context, HasSubstr("struct Grid"));
  EXPECT_THAT(draft.original, ::testing::Not(HasSubstr("struct Grid")));
}

TEST(CompleteByRules, GivesAValueToASymbol) {
  const MepDraft draft = completed(input_of(R"(
float weights[5];
void smooth(int n, const float* in, float* out) {
  for (int i = 0; i < n; ++i) {
    out[i] = 0;
    for (int k = 0; k < 5; ++k) out[i] += weights[k] * in[i + k];
  }
})"));
  ASSERT_EQ(draft.spec.globals.size(), 1U);
  EXPECT_EQ(draft.spec.globals[0].count, "5");
  EXPECT_TRUE(draft.spec.setup);
}

TEST(CompleteByRules, LaunchesAKernelOfAGpu) {
  CompletionInput input = input_of(R"(__global__ void scale(int n, float a, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
})");
  input.backend = "cuda";
  const MepDraft draft = completed(input);
  ASSERT_EQ(draft.spec.sequence.size(), 1U);
  EXPECT_THAT(draft.spec.sequence[0].grid, ElementsAre("ceil((n)/256)"));
  EXPECT_THAT(draft.spec.sequence[0].block, ElementsAre("256"));
}

}  // namespace
}  // namespace noctune
