#include "mep/reading/facts_fixture.hpp"

namespace noctune {
namespace {

using Texts = std::vector<std::string>;

TEST(ReadDeclarations, ReadsStructsAndAliases) {
  const SourceFacts facts = read_source(R"(
typedef float real;
using index_t = long long;
struct __align__(16) Box { int3 lo; real* x; double v[3][2], w; };
typedef struct { unsigned int a; } Plain;
class Thing : public Base { public: Thing(int n) : n_(n) {} int size() const { return n_; } private: int n_; };
template <typename T> struct Pair { T a, b; };
)");
  ASSERT_EQ(facts.structs.size(), 4u);
  const SourceStruct& box = facts.structs[0];
  EXPECT_EQ(box.name, "Box");
  EXPECT_TRUE(box.plain);
  ASSERT_EQ(box.fields.size(), 4u);
  EXPECT_EQ(box.fields[1].type, "real*");
  EXPECT_EQ(box.fields[1].pointers, 1);
  EXPECT_EQ(box.fields[2].extents, (Texts{"3", "2"}));
  EXPECT_EQ(box.fields[3].name, "w");
  EXPECT_EQ(facts.structs[1].name, "Plain");
  EXPECT_FALSE(facts.structs[2].plain);
  EXPECT_FALSE(facts.structs[3].plain);
  EXPECT_EQ(facts.aliases[0].name, "real");
  EXPECT_EQ(facts.aliases[1].type, "long long");
}

TEST(ReadDeclarations, ReadsSymbols) {
  const SourceFacts facts = read_source(R"(
__constant__ float filter[2 * R + 1];
__device__ unsigned int counter = 0;
extern __constant__ Domain d_domain;
static const int N = 8, M = N + 1;
double grid[4][4];
)");
  ASSERT_EQ(facts.symbols.size(), 6u);
  EXPECT_EQ(facts.symbols[0].space, SourceSymbol::Space::constant);
  EXPECT_EQ(facts.symbols[0].extents, (Texts{"2 * R + 1"}));
  EXPECT_EQ(facts.symbols[1].space, SourceSymbol::Space::device);
  EXPECT_EQ(facts.symbols[1].initial, "0");
  EXPECT_TRUE(facts.symbols[2].is_extern);
  EXPECT_TRUE(facts.symbols[4].is_const);
  EXPECT_EQ(facts.symbols[4].initial, "N + 1");
  EXPECT_EQ(facts.symbols[5].space, SourceSymbol::Space::host);
  EXPECT_EQ(facts.unknown_types, (Texts{"Domain"}));
}

TEST(ReadDeclarations, EntersNamespacesAndSkipsWhatIsUnclear) {
  const SourceFacts facts = read_source(R"(
namespace a { namespace b {
enum Mode { slow, fast };
BEGIN_SOMETHING(x, y)
void f(float* x) { x[fast] = 1; }
} }
static_assert(sizeof(int) == 4, "");
void g();
)");
  EXPECT_EQ(accesses_of(function_of(facts, "f")), (Texts{"write x[fast]"}));
  EXPECT_TRUE(facts.unknown_names.empty()) << all_of(facts.unknown_names);
}

TEST(ReadDeclarations, ReadsLoops) {
  const SourceFunction f = function_of(read_source(R"(
void f(int n, float* x) {
  int j;
  for (int i = 0; i < n; ++i) for (j = n - 1; j >= 0; j -= 2) x[j] = i;
  for (size_t k = 1; n - 2 >= k; k += 3) x[k] = 0;
  for (int s = n / 2; s > 0; s >>= 1) x[s] = 0;
  while (x[0] < 1) x[0] += 1;
  do { x[1]++; } while (x[1] < 5);
})"),
                                       "f");
  ASSERT_EQ(f.loops.size(), 6u);
  EXPECT_EQ(f.loops[0].to, "n");
  EXPECT_EQ(f.loops[1].from, "n - 1");
  EXPECT_EQ(f.loops[1].to, "-1");
  EXPECT_EQ(f.loops[1].step, "-2");
  EXPECT_EQ(f.loops[1].depth, 1);
  EXPECT_EQ(f.loops[2].to, "n - 1");
  EXPECT_EQ(f.loops[2].step, "3");
  EXPECT_EQ(f.loops[3].step, ">>= 1");
  EXPECT_EQ(f.loops[4].condition, "x[0] < 1");
  EXPECT_EQ(f.loops[5].condition, "x[1] < 5");
}

TEST(ReadDeclarations, ReadsLocalsAndGuards) {
  const SourceFunction f = function_of(read_source(R"(
__global__ void f(int n, float* x) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  int late; late = i + 1;
  float sum = 0; sum += x[i];
  if (i >= n) return;
  if (late < n && sum > 0) { x[i] = sum; }
})"),
                                       "f");
  ASSERT_EQ(f.locals.size(), 3u);
  EXPECT_EQ(f.locals[0].value, "blockIdx.x * 256 + threadIdx.x");
  EXPECT_FALSE(f.locals[0].assigned_again);
  EXPECT_EQ(f.locals[1].value, "i + 1");
  EXPECT_TRUE(f.locals[2].assigned_again);
  EXPECT_EQ(f.guards, (Texts{"!(i >= n)", "late < n && sum > 0"}));
}

}  // namespace
}  // namespace noctune
