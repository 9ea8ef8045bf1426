// What no rule completes: each error names what is in the way and what to add.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mep/completion/complete_by_rules.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& source, std::vector<std::string> kernels = {},
                    const std::string& backend = "openmp") {
  CompletionInput input;
  input.file = "source.cpp";
  input.source = source;
  input.backend = backend;
  input.kernels = std::move(kernels);
  const Result<MepDraft> draft = complete_by_rules(input);
  return draft ? "completed" : draft.error().text();
}

TEST(Refusals, NameWhatWasSeenWhereThereIsNoKernel) {
  EXPECT_THAT(refusal(""), HasSubstr("it defines no function"));
  EXPECT_THAT(refusal("int add(int a, int b) { return a + b; }"), HasSubstr("add"));
}

TEST(Refusals, ListTheCandidates) {
  const std::string text = refusal(R"(
void blur(int n, float* a) { for (int i = 0; i < n; ++i) a[i] = 0; }
void gain(int n, float* b) { for (int i = 0; i < n; ++i) b[i] = 1; })");
  EXPECT_THAT(text, HasSubstr("blur, gain"));
  EXPECT_THAT(text, HasSubstr("\"kernel\""));
}

TEST(Refusals, NameAKernelThatIsNotThere) {
  EXPECT_THAT(refusal("void f(int n, float* a) { for (int i = 0; i < n; ++i) a[i] = 0; }", {"g"}),
              HasSubstr("no function \"g\""));
}

TEST(Refusals, NameATypeThatNobodyDefines) {
  EXPECT_THAT(
      refusal("void f(int n, const Face* a, float* b) { for (int i = 0; i < n; ++i) b[i] = a[i].area; }"),
      HasSubstr("the type Face"));
}

TEST(Refusals, NameAFunctionThatNobodyDefines) {
  EXPECT_THAT(refusal("void f(int n, float* a) { for (int i = 0; i < n; ++i) a[i] = eval_spline(i); }"),
              HasSubstr("eval_spline"));
}

TEST(Refusals, NameABufferOfUnknownSize) {
  EXPECT_THAT(
      refusal("void f(int n, const int* next, int* out) {\n"
              "  for (int i = 0; i < n; ++i) {\n    int at = i;\n    while (next[at] != at) at = next[at];\n"
              "    out[i] = at;\n  }\n}"),
      HasSubstr("next"));
}

TEST(Refusals, NamePointersToPointers) {
  EXPECT_THAT(refusal("void f(int n, float** a) { for (int i = 0; i < n; ++i) a[i][0] = 0; }"),
              HasSubstr("pointers to pointers"));
}

TEST(Refusals, NameABackendThatDoesNotFit) {
  EXPECT_THAT(refusal("__global__ void f(float* a) { a[threadIdx.x] = 0; }"), HasSubstr("backend"));
}

TEST(Refusals, SurviveAnyText) {
  for (const char* text : {"}", "void f(", "template <", "__global__ void f(int n, float* a) {", "((((((((",
                           "/*", "\"", "void f(int n, float* a) { for (;;) a[", "#define X(",
                           "void f(int n, float* a) { a[a[a[n]]] = 1; }"}) {
    EXPECT_FALSE(refusal(text).empty()) << text;
    EXPECT_FALSE(refusal(text, {}, "cuda").empty()) << text;
  }
}

}  // namespace
}  // namespace noctune
