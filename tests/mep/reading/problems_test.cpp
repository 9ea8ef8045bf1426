#include "mep/reading/facts_fixture.hpp"

namespace noctune {
namespace {

// The fatal problem of a source, or nothing.
std::string fatal_of(const std::string& source) {
  for (const SourceProblem& problem : read_source(source).problems)
    if (problem.fatal) return problem.text;
  return "";
}

void expect_refused(const std::string& source, const std::string& word) {
  EXPECT_NE(fatal_of(source).find(word), std::string::npos) << source << "\n: " << fatal_of(source);
}

TEST(ReadProblems, RefusesWhatIsNoKernelSource) {
  expect_refused("", "no function");
  expect_refused("#define N 3\nint x;\nvoid f(int n);\n", "no function");
  expect_refused(std::string("\x7f"
                             "ELF\0\1\2\3",
                             8),
                 "binary");
  expect_refused("subroutine axpy(n, x)\n  integer n\nend subroutine\n", "Fortran");
  expect_refused("import numpy as np\nfrom numba import cuda\n\ndef axpy(x):\n    pass\n", "Python");
  expect_refused("@kernel void ax(const int n, double* x) { for (int i = 0; i < n; ++i; @outer) {} }", "OKL");
  expect_refused("__kernel void ax(__global float* x) { x[get_global_id(0)] = 1; }", "OpenCL");
}

TEST(ReadProblems, RefusesKernelsWhoseWorkIsElsewhere) {
  expect_refused(
      "template <typename F> __global__ void run(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }",
      "functor");
  expect_refused("void Force::compute(int n) { for (int i = 0; i < n; ++i) f[i] = x[i]; }", "member");
  expect_refused("__global__ void k(float* x) { thrust::sort(thrust::seq, x, x + 8); }", "thrust::");
  expect_refused("void host_only(float* x) { x[0] = 1; }\n__global__ void k(float* x) { host_only(x); }",
                 "host");
  expect_refused("texture<float, 1> tex;\n__global__ void k(float* x) { x[0] = tex1Dfetch(tex, 3); }",
                 "texture");
}

TEST(ReadProblems, RefusesRecursionIntoHostCode) {
  expect_refused(
      "__global__ void part(int* x) { x[0] = 1; }\n"
      "void sort(int* x, int n) { part<<<n, 256>>>(x); if (n > 1) sort(x, n / 2); }",
      "calls itself");
  EXPECT_EQ(fatal_of("__device__ int depth(int n) { return n ? depth(n / 2) : 0; }\n"
                     "__global__ void k(int* x) { x[0] = depth(4); }"),
            "");
}

TEST(ReadProblems, RefusesTypesOfLibraries) {
  expect_refused("__global__ void k(float* x) { using R = cub::BlockReduce<float, 256>; x[0] = 1; }",
                 "cub::");
}

TEST(ReadProblems, NamesTheFunctionConcerned) {
  const SourceFacts facts = read_source(
      "template <typename F> __global__ void run(F f) { f(1); }\n__global__ void fine(float* x) { x[0] = 1; "
      "}");
  ASSERT_EQ(facts.problems.size(), 1u);
  EXPECT_EQ(facts.problems[0].function, "run");
  EXPECT_EQ(facts.problems[0].line, 1);
}

TEST(ReadProblems, OrdinaryKernelsHaveNone) {
  EXPECT_EQ(
      fatal_of("__global__ void k(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] = sinf(x[i]); }"),
      "");
  EXPECT_EQ(fatal_of("void k(double* x, int n) {\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) x[i] "
                     "= sin(x[i]); }"),
            "");
}

}  // namespace
}  // namespace noctune
