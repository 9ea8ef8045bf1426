#include "mep/reading/facts_fixture.hpp"

namespace noctune {
namespace {

using Texts = std::vector<std::string>;

Texts in_body(const std::string& body) {
  return accesses_in("__global__ void f(float* x, const float* y, int* c, int n, int i, int j) {" + body +
                     "}");
}

TEST(ReadAccesses, TellsReadsWritesAndUpdates) {
  EXPECT_EQ(in_body("x[i] = y[i + 1];"), (Texts{"write x[i]", "read y[i + 1]"}));
  EXPECT_EQ(in_body("x[i] += 2;"), (Texts{"update x[i]"}));
  EXPECT_EQ(in_body("++c[i]; c[j]--;"), (Texts{"update c[i]", "update c[j]"}));
  EXPECT_EQ(in_body("if (x[i] == y[j]) return;"), (Texts{"read x[i]", "read y[j]"}));
  EXPECT_EQ(in_body("(x[i]) = 1;"), (Texts{"write x[i]"}));
  EXPECT_EQ(in_body("float t = sizeof(x[0]);"), (Texts{}));
}

TEST(ReadAccesses, FollowsIndirectIndices) {
  EXPECT_EQ(in_body("x[c[i]] = 1;"), (Texts{"write x[c[i]]", "read c[i]"}));
}

TEST(ReadAccesses, KnowsAtomics) {
  EXPECT_EQ(in_body("atomicAdd(&c[j], 1);"), (Texts{"atomic c[j]"}));
  EXPECT_EQ(in_body("atomicMax(c + i, 1);"), (Texts{"atomic c[i]"}));
  EXPECT_EQ(in_body("atomicAdd(c, 1);"), (Texts{"atomic c[0]"}));
  EXPECT_EQ(in_body("\n#pragma omp atomic\nc[i] += 1;\nc[j] += 1;"), (Texts{"atomic c[i]", "update c[j]"}));
}

TEST(ReadAccesses, DereferencesPointers) {
  EXPECT_EQ(in_body("*x = *(y + i);"), (Texts{"write x[0]", "read y[i]"}));
  EXPECT_EQ(in_body("float t = i * y[j];"), (Texts{"read y[j]"}));
  EXPECT_EQ(in_body("float t = (float)*y;"), (Texts{"read y[0]"}));
}

TEST(ReadAccesses, FollowsAliases) {
  EXPECT_EQ(in_body("const float* row = y + i*n; x[i] = row[j];"), (Texts{"write x[i]", "read y[i*n + j]"}));
  EXPECT_EQ(in_body("float* p = &x[i]; *p = 1; p[2] = 0;"), (Texts{"write x[i]", "write x[i + 2]"}));
  EXPECT_EQ(in_body("float& v = x[i]; v += 2;"), (Texts{"update x[i]"}));
  EXPECT_EQ(in_body("auto p = x + 3; p[i] = 1;"), (Texts{"write x[3 + i]"}));
  EXPECT_EQ(in_body("const float* p = i ? x : y; x[0] = p[j];"),
            (Texts{"write x[0]", "read x[j]", "read y[j]"}));
  EXPECT_EQ(in_body("float* p; p = x + n; p[i] = 1;"), (Texts{"write x[n + i]"}));
}

TEST(ReadAccesses, SaysWhenAPointerMoves) {
  EXPECT_EQ(in_body("for (int k = 0; k < n; ++k) { *x = y[k]; x += n; }"),
            (Texts{"write x[0]", "read y[k]"}));
  EXPECT_EQ(in_body("float* p = x; for (int k = 0; k < n; ++k) *p++ = 0; p[1] = 2;"),
            (Texts{"write x[0]", "write x[?]"}));
}

TEST(ReadAccesses, ScalesViewsOfOtherTypes) {
  EXPECT_EQ(in_body("((float4*)x)[i].y = 1;"), (Texts{"write x[4*(i) + 3].y"}));
  EXPECT_EQ(in_body("float4* v = reinterpret_cast<float4*>(x); v[i] = v[j];"),
            (Texts{"write x[4*(i) + 3]", "read x[4*(j) + 3]"}));
}

TEST(ReadAccesses, ReadsSeveralDimensions) {
  EXPECT_EQ(
      accesses_in(
          "void f(int n, double A[n][n], real (*x)[3]) { A[1][2] = x[3][0]; double* r = A[n]; r[4] = 1; }"),
      (Texts{"write A[1][2]", "read x[3][0]", "write A[n][4]"}));
  const SourceFunction f = function_of(
      read_source("void f(int n, double* a) { double (*A)[n] = (double (*)[n])a; A[1][n] = 2; }"), "f");
  EXPECT_EQ(accesses_of(f), (Texts{"write a[1][n]"}));
  ASSERT_EQ(f.locals.size(), 1u);
  EXPECT_EQ(f.locals[0].type, "double (*)[n]");
}

TEST(ReadAccesses, ReachesIntoStructs) {
  const std::string types =
      "struct Atoms { int n; float* x; double box[3]; }; struct P { float x, v[3]; };\n";
  EXPECT_EQ(
      accesses_in(types +
                  "__global__ void f(Atoms a, P* p, int i) { p[i].v[1] += a.x[3*i]; p->x = a.box[0]; }"),
      (Texts{"update p[i].v", "read a.x[3*i]", "write p[0].x"}));
  EXPECT_EQ(accesses_in(types + "void f(Atoms* a, int i) { a->x[i] = a->n; }"),
            (Texts{"read a[0].x", "write a.x[i]", "read a[0].n"}));
  EXPECT_EQ(accesses_in("__global__ void f(Unknown u, int i) { u.x[i] = u.y[i].z; }"),
            (Texts{"write u.x[i]", "read u.y[i].z"}));
  EXPECT_EQ(accesses_in("__global__ void f(float4* p, int i) { p[i].w = p[i].x; }"),
            (Texts{"write p[i].w", "read p[i].x"}));
}

TEST(ReadAccesses, ReadsSymbols) {
  EXPECT_EQ(
      accesses_in(
          "__constant__ float c[8]; __device__ int flag; __constant__ Box box; static const int N = 3;\n"
          "__global__ void f(float* x) { x[N] = c[2] + box.lo; flag = 1; }"),
      (Texts{"write x[N]", "read c[2]", "read box[0].lo", "write flag[0]"}));
}

TEST(ReadAccesses, ShadowedNamesAreNoAccesses) {
  EXPECT_EQ(in_body("{ float x[3]; x[0] = 1; } x[i] = 2;"), (Texts{"write x[i]"}));
}

TEST(ReadAccesses, ExpandsIndexMacros) {
  EXPECT_EQ(accesses_in("#define AT(i, j) x[(i) * n + (j)]\nvoid f(float* x, int n) { AT(2, 3) = 1; }"),
            (Texts{"write x[(2) * n + (3)]"}));
}

TEST(ReadAccesses, FollowsPointersIntoCallees) {
  EXPECT_EQ(
      accesses_in("__device__ void put(float* out, int at, float v) { int p = at * 2; out[p + 1] = v; }\n"
                  "__global__ void f(float* x, int i) { put(x + 3, i + 1, 0); }"),
      (Texts{"write x[3 + ((i + 1) * 2) + 1] via put"}));
  EXPECT_EQ(accesses_in("__device__ float dot(const float* a, int m) { float s = 0; for (int k = 0; k < m; "
                        "k++) s += a[k]; return s; }\n"
                        "__global__ void f(float* x, float* y, int n) { y[0] = dot(x, n); }"),
            (Texts{"write y[0]", "read x[n - 1] via dot"}));
  EXPECT_EQ(accesses_in("__global__ void f(float* x, const float* y) { elsewhere(x, y); }"),
            (Texts{"update x[?] via elsewhere", "read y[?] via elsewhere"}));
}

TEST(ReadAccesses, ElementsHandedOverByReferenceMayBeWritten) {
  EXPECT_EQ(
      accesses_in(
          "__device__ void bump(float& v) { v += 1; }\n__global__ void f(float* x, int i) { bump(x[i]); }"),
      (Texts{"update x[i]"}));
}

TEST(ReadAccesses, TellsLoopsAndGuardsAround) {
  const SourceFunction f = function_of(read_source("void f(int n, float* x) { for (int i = 0; i < n; i++) { "
                                                   "if (i > 2) x[i] = 1; else x[0] = 2; } x[n] = 0; }"),
                                       "f");
  ASSERT_EQ(f.accesses.size(), 3u);
  EXPECT_EQ(f.accesses[0].guard, "i > 2");
  EXPECT_EQ(f.accesses[0].loop_depth, 1);
  EXPECT_EQ(f.accesses[1].guard, "!(i > 2)");
  EXPECT_EQ(f.accesses[2].guard, "");
  EXPECT_EQ(f.accesses[2].loop_depth, 0);
}

}  // namespace
}  // namespace noctune
