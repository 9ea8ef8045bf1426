#include "coordinator/prompts/version.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/prompts/code_mask.hpp"
#include "coordinator/prompts/extra_flags.hpp"
#include "coordinator/prompts/replies.hpp"
#include "coordinator/prompts/source_outline.hpp"
#include "evaluator/policy.hpp"

namespace noctune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string reply(const std::string& code) {
  return "summary: faster\n```cpp\n" + code + "```\n";
}

TEST(ReadVersion, TakesTheSummaryAsOneLine) {
  const auto version =
      read_version(reply("// noctune: scale\nvoid scale(int, const double*, double*) {}\n"), scale_mep());
  ASSERT_TRUE(version) << version.error().text();
  EXPECT_EQ(version->summary, "faster");
  EXPECT_EQ(version->source, "extern \"C\" void scale(int, const double*, double*) {}\n");
}

TEST(ReadVersion, RefusesTheBaseAgain) {
  const std::string code =
      "extern \"C\" void scale(int n, const double* x, double* y) { y[0] = n * x[0]; }\n";
  EXPECT_TRUE(read_version(reply(code), scale_mep()));
  const auto again = read_version(reply("// other words\n" + code), scale_mep(), code);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().text(), HasSubstr("the version to improve"));
}

TEST(ReadVersion, RefusesLongSources) {
  const auto version = read_version(
      reply("extern \"C\" void scale(int, const double*, double*) {}\n" + std::string(250000, '\n')),
      scale_mep());
  ASSERT_FALSE(version);
  EXPECT_THAT(version.error().text(), HasSubstr("too long"));
}

TEST(ReadVersion, AddsALeftOutScratchPointer) {
  MepSource mep = scale_mep();
  mep.spec.scratch = true;
  const auto version = read_version(
      reply("extern \"C\" void scale(int n, const double* x, double* y) { y[0] = n * x[0]; }\n"), mep);
  ASSERT_TRUE(version) << version.error().text();
  EXPECT_THAT(version->source, HasSubstr("double* y, void*)"));
  EXPECT_THAT(version->source, HasSubstr("extern \"C\" std::size_t scale_scratch_bytes(int) { return 0; }"));
  EXPECT_EQ(version->mended.size(), 2u);
}

TEST(ReadVersion, WantsTheFunctionsThatBelongToTheEntry) {
  MepSource mep = scale_mep();
  mep.spec.setup = mep.spec.scratch = true;
  const std::string entry =
      "extern \"C\" void scale(int n, const double* x, double* y, void* work) { y[0] = n * x[0]; (void)work; "
      "}\n";
  const auto none = read_version(reply(entry), mep);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text(), HasSubstr("scale_scratch_bytes"));
  const std::string bytes = "static std::size_t scale_scratch_bytes(int n) { return 8 * n; }\n";
  const auto no_setup = read_version(reply(entry + bytes), mep);
  ASSERT_FALSE(no_setup);
  EXPECT_THAT(no_setup.error().text(), HasSubstr("scale_setup"));
  const auto all =
      read_version(reply(entry + bytes + "void scale_setup(int, const double*, double*, void*) {}\n"), mep);
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_THAT(all->source, HasSubstr("extern \"C\" void scale_setup"));
  EXPECT_THAT(all->source, testing::Not(HasSubstr("static")));
}

TEST(ReadVersion, WaivesWhatTheOriginalSays) {
  MepSource mep = scale_mep();
  mep.original = "// rest unchanged\n" + mep.original;
  EXPECT_TRUE(read_version(
      reply("// rest unchanged\nextern \"C\" void scale(int, const double*, double*) {}\n"), mep));
}

TEST(ReadVersion, KnowsTypesOfTheContext) {
  MepSource mep = scale_mep();
  mep.spec.defines["real"] = "double";
  const auto version = read_version(
      reply("extern \"C\" void scale(int n, const real* x, real* y) { y[0] = n * x[0]; }\n"), mep);
  EXPECT_TRUE(version) << version.error().text();
  // Types that cannot be known here are left to the compiler.
  EXPECT_TRUE(
      read_version(reply("#include <vector>\nusing V = std::vector<int>;\nextern \"C\" void scale(V n, const "
                         "double* x, double* y) { y[0] = x[0]; }\n"),
                   mep));
}

TEST(PatternIds, AreRead) {
  EXPECT_THAT(read_pattern_ids("P3, #4 and first-touch; P3"), ElementsAre("3", "4", "first-touch"));
  EXPECT_TRUE(read_pattern_ids("none").empty());
  EXPECT_TRUE(read_pattern_ids("N/A").empty());
}

TEST(ExtraFlags, OnlyListedOnesPass) {
  const ReadFlags read = read_flags(
      "`-funroll-loops`, -falign-loops=32 -falign-loops=x -Ofast -o/etc/x @file -funroll-loops", "openmp");
  EXPECT_THAT(read.accepted, ElementsAre("-funroll-loops", "-falign-loops=32"));
  ASSERT_EQ(read.refused.size(), 3u);
  EXPECT_EQ(read.refused[1], "-Ofast changes values");
}

// nvcc would stop at what g++ takes, and the other way round.
TEST(ExtraFlags, AreThoseOfTheBackendsCompiler) {
  const std::string line = "-maxrregcount=64 -fno-math-errno -use_fast_math -arch=sm_80 -fno-slp-vectorize";
  const ReadFlags cuda = read_flags(line, "cuda"), hip = read_flags(line, "hip"),
                  cpu = read_flags(line, "openmp");
  EXPECT_THAT(cuda.accepted, ElementsAre("-maxrregcount=64"));
  EXPECT_THAT(hip.accepted, ElementsAre("-fno-slp-vectorize"));
  EXPECT_THAT(cpu.accepted, ElementsAre("-fno-math-errno"));
  ASSERT_EQ(cuda.refused.size(), 4u);
  EXPECT_EQ(cuda.refused[1], "-use_fast_math changes values");
  EXPECT_EQ(cuda.refused[2], "-arch=sm_80 is the campaign's to choose");
}

// The catalogue of rules adds these without asking.
TEST(ExtraFlags, HoldThoseOfTheRules) {
  for (const char* flag :
       {"-fno-math-errno", "-fno-trapping-math", "-funroll-loops", "-mprefer-vector-width=512",
        "-fno-semantic-interposition", "-fno-plt", "-fprefetch-loop-arrays"})
    EXPECT_THAT(read_flags(flag, "openmp").accepted, ElementsAre(flag));
}

TEST(CodeMask, KeepsPlacesAndHidesWhatIsNoCode) {
  const std::string source =
      "int a; // }\n#define X {\\\n  {\nchar b = '{'; /* { */ int c = 1'000; auto d = R\"({)\";\n";
  const std::string mask = code_mask(source);
  ASSERT_EQ(mask.size(), source.size());
  EXPECT_EQ(mask.find_first_of("{}"), std::string::npos);
  EXPECT_EQ(mask.find("int c"), source.find("int c"));
  EXPECT_EQ(std::count(mask.begin(), mask.end(), '\n'), std::count(source.begin(), source.end(), '\n'));
}

TEST(Outline, FindsFunctionsWhereverTheyStand) {
  const Outline outline = outline_of(
      "template <class T>\nstatic T twice(T x) { return 2 * x; }\nextern \"C\" {\nvoid a(int n) { }\n}\n"
      "namespace x::y { void b() noexcept(true) { if (1) { } } }\nMACRO(1)\nvoid c(int) "
      "__attribute__((cold));\n"
      "struct S { void hidden() {} };\nint table[] = {1, f(2)};\nauto lambda = [](int i) { return i; "
      "};\nvoid d() {}\n");
  EXPECT_EQ(outline.open_braces, 0);
  for (const char* name : {"twice", "a", "b", "d"}) EXPECT_NE(outline.definition(name), nullptr) << name;
  for (const char* name : {"c", "hidden", "f", "lambda"})
    EXPECT_EQ(outline.definition(name), nullptr) << name;
  EXPECT_TRUE(outline.definition("a")->c_linkage);
  EXPECT_FALSE(outline.definition("b")->c_linkage);
}

}  // namespace
}  // namespace noctune
