#include "mep/reading/facts_fixture.hpp"

namespace noctune {
namespace {

const std::string twice = R"(
#if VARIANT == 1
__global__ void k(float* x) { x[1] = 1; }
#else
__global__ void k(float* x) { x[2] = 2; }
#endif
)";

std::vector<std::string> kernel_of(const std::string& source,
                                   const std::map<std::string, std::string>& defines = {}) {
  const SourceFacts facts = read_source(source, defines);
  EXPECT_EQ(facts.functions.size(), 1u);
  return accesses_of(function_of(facts, "k"));
}

using Texts = std::vector<std::string>;

TEST(ReadPreprocessing, DefinesDecideElseTheFirstBranchIsRead) {
  EXPECT_EQ(kernel_of(twice), (Texts{"write x[1]"}));
  EXPECT_EQ(kernel_of(twice, {{"VARIANT", "2"}}), (Texts{"write x[2]"}));
  EXPECT_EQ(kernel_of("#define VARIANT (3 - 1)\n" + twice), (Texts{"write x[2]"}));
  EXPECT_EQ(kernel_of("#define VARIANT 5\n" + twice, {{"VARIANT", "1"}}), (Texts{"write x[1]"}));
}

TEST(ReadPreprocessing, UndefinedNamesTakeTheElse) {
  const std::string source =
      "#ifdef FAST\n__global__ void k(float* x) { x[1] = 1; }\n#else\n__global__ void k(float* x) { x[2] = "
      "1; }\n#endif\n";
  EXPECT_EQ(kernel_of(source), (Texts{"write x[2]"}));
  EXPECT_EQ(kernel_of(source, {{"FAST", ""}}), (Texts{"write x[1]"}));
}

TEST(ReadPreprocessing, SomeKernelIsBetterThanNone) {
  EXPECT_EQ(kernel_of("#if defined(A)\n__global__ void k(float* x) { x[1] = 1; }\n#elif defined(B)\n"
                      "__global__ void k(float* x) { x[2] = 1; }\n#endif\n"),
            (Texts{"write x[1]"}));
}

TEST(ReadPreprocessing, ConditionsNestAndCalculate) {
  const std::string source =
      "#define N 64\n#if defined(N) && (N >> 2) * 2 >= 32 && !defined(M)\n#if 0\n#error no\n"
      "void k(float* x) { x[0] = 1; }\n#elif N < 10\n#else\nvoid k(float* x) { x[N] = 1; }\n#endif\n#endif\n";
  EXPECT_EQ(kernel_of(source), (Texts{"write x[N]"}));
}

TEST(ReadPreprocessing, ListsMacrosAndIncludes) {
  const SourceFacts facts = read_source(
      "#include <cmath>\n#include \"domain.h\" // types\n#define N 4 /* size */\n"
      "#define SQ(a) \\\n  ((a) * (a))\n");
  EXPECT_EQ(facts.includes, (Texts{"<cmath>", "\"domain.h\""}));
  ASSERT_EQ(facts.macros.size(), 2u);
  EXPECT_EQ(facts.macros[0].name, "N");
  EXPECT_EQ(facts.macros[0].value, "4");
  EXPECT_TRUE(facts.macros[1].function_like);
  EXPECT_EQ(facts.macros[1].value, "((a) * (a))");
  EXPECT_EQ(facts.macros[1].where.line, 4);
}

TEST(ReadPreprocessing, CommentsAndStringsHideCode) {
  EXPECT_EQ(kernel_of("// void no() {}\n/* void no() {} */\nconst char* s = \"void no() { /* \";\n"
                      "void k(float* x) { x[0] = 1; /* x[1] = 1; */ } // }\n"),
            (Texts{"write x[0]"}));
}

TEST(ReadPreprocessing, TypesThatAreMacrosKeepTheirNames) {
  const SourceFacts facts =
      read_source("#define DATA_TYPE float\nvoid k(DATA_TYPE* a, real b) { a[0] = b; }");
  EXPECT_EQ(function_of(facts, "k").params[0].base, "DATA_TYPE");
  EXPECT_TRUE(has(function_of(facts, "k").names, "DATA_TYPE"));
  EXPECT_EQ(facts.unknown_types, (Texts{"real"}));
}

TEST(ReadPreprocessing, NamesArePastedThroughSeveralMacros) {
  const SourceFacts facts = read_source(
      "#define FLAVOUR fast\n#define PASTE_(a, b) a##_##b\n#define PASTE(a, b) PASTE_(a, b)\n"
      "#define KERNEL(name) PASTE(name, FLAVOUR)\nvoid KERNEL(force)(float* x) { x[0] = 1; }\n#undef "
      "KERNEL\n");
  EXPECT_EQ(accesses_of(function_of(facts, "force_fast")), (Texts{"write x[0]"}));
}

TEST(ReadPreprocessing, PolybenchArraysAreKnown) {
  const SourceFunction k =
      function_of(read_source("void k(int n, double POLYBENCH_2D(A, N, M, n, m)) { A[1][2] = 0; }"), "k");
  ASSERT_EQ(k.params.size(), 2u);
  EXPECT_EQ(k.params[1].name, "A");
  EXPECT_EQ(k.params[1].extents, (Texts{"n", "m"}));
  EXPECT_EQ(accesses_of(k), (Texts{"write A[1][2]"}));
}

}  // namespace
}  // namespace noctune
