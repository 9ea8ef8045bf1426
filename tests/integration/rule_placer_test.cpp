// Rules on the real files of hotspots/.
#include "integration/rule_placer.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.hpp"
#include "integration/source_edit.hpp"
#include "places.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string hotspot_file(const std::string& path) {
  return value_or_throw(read_file(NOCTUNE_SOURCE_DIR "/hotspots/" + path));
}

PlaceRequest request(const std::string& name, const std::string& entry, const std::string& winner) {
  PlaceRequest out;
  out.original = hotspot_file("apps/" + name + "/" + name + ".cpp");
  out.winner = winner;
  out.entry = entry;
  out.file = hotspot_file("apps/" + name + "/app/kernels.cpp");
  return out;
}

// Compiles a text as the application's kernels.cpp.
bool compiles(const std::string& name, const std::string& text) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-test"));
  const std::string file = (folder.path() / "kernels.cpp").string();
  value_or_throw(write_file(file, text));
  const std::string root = NOCTUNE_SOURCE_DIR "/hotspots/";
  const std::string command =
      "g++ -std=c++17 -fopenmp -fsyntax-only -I" + root + "apps/" + name + "/app -I" + root + "host " + file;
  return std::system(command.c_str()) == 0;
}

TEST(RulePlacer, AHostProgramsFileIsReplacedAsAWhole) {
  PlaceRequest asked;
  asked.original = asked.file = hotspot_file("polybench/atax.cpp");
  asked.winner = hotspot_file("polybench/candidates/atax/good.cpp");
  asked.entry = "atax";
  const Result<Placed> placed = RulePlacer().place(asked);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_EQ(placed->text, asked.winner);
  EXPECT_THAT(placed->broken, HasSubstr("(void)tmp;"));
  EXPECT_THAT(placed->broken, Not(HasSubstr("omp for")));
}

// As `noctune mep` completes it: a type that nobody declared is a macro, and an entry calls the kernel.
PlaceRequest completed_kernel(const std::string& winner) {
  PlaceRequest out;
  const std::string kernel =
      "void scale(int n, real a, const real* x, real* y) {\n"
      "  for (int i = 0; i < n; ++i) y[i] = a * x[i] + a / (1 + x[i] * x[i]);\n}\n";
  out.original = kernel +
                 "extern \"C\" void scale_entry(int n, double a, const double* x, double* y) {\n"
                 "  scale(n, a, x, y);\n}\n";
  out.file = "#include \"types.hpp\"\n\n" + kernel + "\nvoid other() {}\n";
  out.entry = "scale_entry";
  out.winner = winner;
  return out;
}

TEST(RulePlacer, AKernelThatWasCutOutGetsTheBodyOfItsEntry) {
  const Result<Placed> placed = RulePlacer().place(
      completed_kernel("extern \"C\" void scale_entry(int n, double a, const double* x, double* y) {\n"
                       "#pragma omp parallel for\n"
                       "  for (int i = 0; i < n; ++i) y[i] = a * x[i] + a / (1 + x[i] * x[i]);\n}\n"));
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_THAT(placed->text, HasSubstr("const real* x, real* y) {\n#pragma omp parallel for"));
  EXPECT_THAT(placed->text, Not(HasSubstr("scale_entry")));
  EXPECT_THAT(placed->broken, Not(HasSubstr("1 + x[i]")));
}

TEST(RulePlacer, AKernelThatWasCutOutMayStayAFunctionOfTheWinner) {
  const Result<Placed> placed = RulePlacer().place(
      completed_kernel("void scale(int n, real a, const real* x, real* y) {\n"
                       "#pragma omp parallel for\n"
                       "  for (int i = 0; i < n; ++i) y[i] = a * x[i] + a / (1 + x[i] * x[i]);\n}\n"
                       "extern \"C\" void scale_entry(int n, double a, const double* x, double* y) {\n"
                       "  scale(n, a, x, y);\n}\n"));
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_THAT(placed->text, HasSubstr("static void scale_noctune("));
  EXPECT_THAT(placed->text, HasSubstr("scale_noctune(n, a, x, y);"));
}

class EveryMiniApplication : public testing::TestWithParam<std::pair<const char*, const char*>> {};

// The original put into its own application, then a version with a helper and another body.
TEST_P(EveryMiniApplication, TakesAVersionOfItsHotspot) {
  const auto [name, entry] = GetParam();
  PlaceRequest asked = request(name, entry, "");
  asked.winner =
      "#include <climits>\nint nothing_to_add(int x) { return x - x + INT_MAX * 0; }\n" + asked.original;
  const std::size_t body = asked.winner.rfind("#pragma omp");
  if (body != std::string::npos) asked.winner.insert(body, "(void)nothing_to_add(1);\n");
  const Result<Placed> placed = RulePlacer().place(asked);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_THAT(placed->text, HasSubstr("static int nothing_to_add"));
  EXPECT_THAT(placed->text, HasSubstr("#include <climits>"));
  EXPECT_THAT(placed->text, Not(HasSubstr("extern \"C\"")));
  EXPECT_NE(canonical(placed->text), canonical(asked.file));
  EXPECT_TRUE(compiles(name, placed->text)) << placed->text;
  EXPECT_TRUE(compiles(name, placed->broken)) << placed->broken;
}

INSTANTIATE_TEST_SUITE_P(OpenMP, EveryMiniApplication,
                         testing::Values(std::pair("n-body", "n_body"), std::pair("spmv", "spmv"),
                                         std::pair("md-force", "md_force"),
                                         std::pair("cross-section", "cross_section"),
                                         std::pair("eam-energy", "eam_energy"),
                                         std::pair("gauss-seidel", "gauss_seidel"),
                                         std::pair("lattice-boltzmann", "lattice_boltzmann"),
                                         std::pair("stencil-halo", "stencil_halo")),
                         [](const auto& one) { return std::string(one.param.second); });

TEST(RulePlacer, GoodCandidatesCompileInTheirApplications) {
  for (const auto& [name, entry] :
       {std::pair("n-body", "n_body"), std::pair("spmv", "spmv"), std::pair("md-force", "md_force"),
        std::pair("lattice-boltzmann", "lattice_boltzmann")}) {
    const PlaceRequest asked =
        request(name, entry, hotspot_file(std::string("apps/") + name + "/candidates/good.cpp"));
    const Result<Placed> placed = RulePlacer().place(asked);
    ASSERT_TRUE(placed) << name << ": " << placed.error().text();
    EXPECT_TRUE(compiles(name, placed->text)) << placed->text;
  }
}

TEST(RulePlacer, AHelperThatBothDefineAlikeStaysOnce) {
  const PlaceRequest asked =
      request("cross-section", "cross_section", hotspot_file("apps/cross-section/cross-section.cpp"));
  const Result<Placed> placed = RulePlacer().place(asked);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_EQ(uses_of(placed->text, "point_below"), 2u);
}

TEST(RulePlacer, AHelperOfTheSameNameIsRenamedAndTheOldOneGoes) {
  PlaceRequest asked =
      request("cross-section", "cross_section", hotspot_file("apps/cross-section/cross-section.cpp"));
  const std::size_t at = asked.winner.find("(low + high) / 2");
  asked.winner.replace(at, 16, "low + (high - low) / 2");
  const Result<Placed> placed = RulePlacer().place(asked);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_EQ(uses_of(placed->text, "point_below_noctune"), 2u);
  EXPECT_EQ(uses_of(placed->text, "point_below"), 0u);
  EXPECT_TRUE(compiles("cross-section", placed->text)) << placed->text;
}

// A caller of the same text means another thing once what it calls differs.
TEST(RulePlacer, ACallerOfAChangedHelperComesWithIt) {
  PlaceRequest asked;
  asked.original =
      "static int one() { return 1; }\nstatic int two() { return one() + one(); }\n"
      "extern \"C\" void f(int* x) { *x = two() + two() * 0 + 0 * two(); }\n";
  asked.file = asked.original + "int main() { return two(); }\n";
  asked.winner = asked.original;
  asked.winner.replace(asked.winner.find("return 1"), 8, "return 3 - 2");
  asked.entry = "f";
  const Result<Placed> placed = RulePlacer().place(asked);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_THAT(placed->text, HasSubstr("static int two_noctune() { return one_noctune() + one_noctune(); }"));
  EXPECT_THAT(placed->text, HasSubstr("*x = two_noctune() + two_noctune() * 0"));
  EXPECT_THAT(placed->text, HasSubstr("int main() { return two(); }"));
}

constexpr const char* k0 =
    "extern \"C\" void scale(int n, double f, double* y) {\n"
    "  for (int i = 0; i < n; ++i) y[i] = f * y[i] + f * f * f;\n}\n";
constexpr const char* faster = "extern \"C\" void scale(int n, double f, double* y) {\n  fast(n, f, y);\n}\n";

TEST(RulePlacer, AFunctionOfAnotherNameAndOrderIsFoundByItsBody) {
  PlaceRequest asked;
  asked.original = k0;
  asked.winner = faster;
  asked.entry = "scale";
  asked.file =
      "#include <a.h>\n// Scales.\nstatic void grow(double* y, int n, double f) {\n"
      "  for (int i = 0; i < n; ++i)  // all\n    y[i] = f * y[i] + f * f * f;\n}\nint main() {}\n";
  const Result<Placed> placed = RulePlacer().place(asked);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_THAT(placed->text, HasSubstr("static void scale_noctune(int n, double f, double* y) {"));
  EXPECT_THAT(placed->text, HasSubstr("// Scales.\nstatic void grow(double* y, int n, double f) { "
                                      "scale_noctune(n, f, y); }"));
  EXPECT_THAT(placed->broken, HasSubstr("grow(double* y, int n, double f) {\n  (void)y;"));
}

TEST(RulePlacer, WhatItCannotPlaceIsSaid) {
  PlaceRequest asked;
  asked.original = k0;
  asked.winner = faster;
  asked.entry = "scale";
  asked.file = "int main() { return 0; }\n";
  EXPECT_THAT(RulePlacer().place(asked).error().text(), HasSubstr("neither a function scale nor"));
  asked.winner = "void other() {}";
  EXPECT_THAT(RulePlacer().place(asked).error().text(), HasSubstr("defines no function scale"));
  asked.winner = std::string(faster) + "extern \"C\" long scale_scratch_bytes(int n) { return n; }\n";
  EXPECT_THAT(RulePlacer().place(asked).error().text(), HasSubstr("needs scale_scratch_bytes"));
  asked.file = "void scale(int n, double f, double* y) { y[0] = n; }";
  asked.winner = "void scale(int n, double* y) {}";
  EXPECT_THAT(RulePlacer().place(asked).error().text(), HasSubstr("other parameters"));
}

TEST(RulePlacer, SurvivesAnyText) {
  PlaceRequest asked;
  asked.original = k0;
  asked.entry = "scale";
  const std::string whole = hotspot_file("apps/spmv/app/kernels.cpp") + faster;
  for (std::size_t cut = 0; cut < whole.size(); cut += 97) {
    asked.file = whole.substr(cut);
    asked.winner = whole.substr(0, cut) + faster;
    (void)RulePlacer().place(asked);
    asked.winner = std::string(faster).substr(0, cut % 90) + "\"/*'" + faster;
    (void)RulePlacer().place(asked);
  }
  SUCCEED();
}

}  // namespace
}  // namespace noctune
