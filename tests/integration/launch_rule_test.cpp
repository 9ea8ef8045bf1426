// GPU sources, on text alone.
#include "integration/launch_rule.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.hpp"
#include "integration/rule_placer.hpp"
#include "integration/source_edit.hpp"
#include "places.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string hotspot_file(const std::string& path) {
  return value_or_throw(read_file(NOCTUNE_SOURCE_DIR "/hotspots/" + path));
}

PlaceRequest spmv() {
  PlaceRequest out;
  out.original = hotspot_file("apps/spmv/spmv.cu");
  out.entry = "spmv";
  out.file = hotspot_file("apps/spmv/app/kernels.cu");
  out.stream_type = "cudaStream_t";
  out.winner = out.original;
  out.winner.replace(out.winner.find("double* y) {"), 12, "double* y) {\n  // better");
  const std::size_t sum = out.winner.find("y[i] = 0.0;");
  out.winner.replace(sum, 11, "y[i] = 0;");
  return out;
}

TEST(LaunchRule, LaunchesInsideALargerFunctionBecomeCalls) {
  const Result<Placed> placed = RulePlacer().place(spmv());
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_THAT(placed->rule, HasSubstr("2 launches of spmv_kernel become calls"));
  EXPECT_THAT(placed->text, HasSubstr("spmv_noctune(n, system.row_ptr.data(), system.col.data(), "
                                      "system.val.data(), heat, product, 0);"));
  EXPECT_THAT(placed->text, HasSubstr("system.val.data(), direction, product, 0);"));
  EXPECT_THAT(placed->text, HasSubstr("static void spmv_noctune("));
  EXPECT_THAT(placed->text, HasSubstr("cudaStream_t stream)"));
  EXPECT_THAT(placed->text, HasSubstr("spmv_kernel_noctune<<<"));
  EXPECT_THAT(placed->text, Not(HasSubstr("mep_stream_t")));
  EXPECT_THAT(placed->broken, HasSubstr("(void)row_ptr;"));
}

TEST(LaunchRule, TheCallSiteChoosesAmongThem) {
  PlaceRequest asked = spmv();
  asked.call_site =
      "spmv_kernel<<<blocks, threads>>>(n, system.row_ptr.data(), system.col.data(), "
      "system.val.data(), heat, product);";
  const Result<Placed> placed = RulePlacer().place(asked);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_THAT(placed->rule, HasSubstr("1 launch of spmv_kernel becomes a call"));
  EXPECT_EQ(uses_of(placed->text, "spmv_noctune"), 2u);
  asked.call_site = "nothing of the kind";
  EXPECT_THAT(RulePlacer().place(asked).error().text(), HasSubstr("does not hold the `call_site`"));
}

// With the toolkit, where it is installed: no GPU is needed for it.
bool compiles(const std::string& name, const std::string& text) {
  if (std::system("command -v nvcc >/dev/null") != 0) return true;
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-test"));
  const std::string file = (folder.path() / "kernels.cu").string();
  value_or_throw(write_file(file, text));
  const std::string root = NOCTUNE_SOURCE_DIR "/hotspots/";
  const std::string command = "nvcc -std=c++17 -O0 -arch=sm_90 -DHOST_CUDA -x cu -c -o /dev/null -I" + root +
                              "apps/" + name + "/app -I" + root + "host " + file;
  return std::system(command.c_str()) == 0;
}

class EveryMiniApplication : public testing::TestWithParam<std::pair<const char*, const char*>> {};

// The original with other names for its kernels, so that all of it comes in.
TEST_P(EveryMiniApplication, TakesAVersionOfItsHotspot) {
  const auto [name, entry] = GetParam();
  PlaceRequest asked;
  asked.original = hotspot_file(std::string("apps/") + name + "/" + name + ".cu");
  asked.file = hotspot_file(std::string("apps/") + name + "/app/kernels.cu");
  asked.entry = entry;
  asked.stream_type = "cudaStream_t";
  asked.winner = "#include <climits>\n" + asked.original;
  const std::size_t guard = asked.winner.find("if (");
  asked.winner.insert(guard, "if (blockDim.x == INT_MAX) return;\n  ");
  const Result<Placed> placed = RulePlacer().place(asked);
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_EQ(uses_of(placed->text, std::string(entry) + "_noctune"), 2u);
  EXPECT_TRUE(compiles(name, placed->text)) << placed->text;
}

INSTANTIATE_TEST_SUITE_P(Gpu, EveryMiniApplication,
                         testing::Values(std::pair("n-body", "n_body"), std::pair("md-force", "md_force"),
                                         std::pair("cross-section", "cross_section"),
                                         std::pair("eam-energy", "eam_energy"),
                                         std::pair("lattice-boltzmann", "lattice_boltzmann"),
                                         std::pair("stencil-halo", "stencil_halo")),
                         [](const auto& one) { return std::string(one.param.second); });

TEST(LaunchRule, AnEntryThatLaunchesInALoopIsLeftToOthers) {
  PlaceRequest asked;
  asked.original = asked.winner = hotspot_file("apps/gauss-seidel/gauss-seidel.cu");
  asked.file = hotspot_file("apps/gauss-seidel/app/kernels.cu");
  asked.entry = "gauss_seidel";
  asked.stream_type = "cudaStream_t";
  EXPECT_THAT(RulePlacer().place(asked).error().text(), HasSubstr("launches relax_plane in a loop"));
}

constexpr const char* two =
    "__global__ void a(int n, float* x) { x[n] = 1; }\n"
    "__global__ void b(int n, float* x, float* y) { y[n] = x[n]; }\n";

PlaceRequest pair_of(const std::string& host) {
  PlaceRequest out;
  out.original = std::string(two) +
                 "extern \"C\" void ab(int n, float* x, float* y, mep_stream_t stream) {\n"
                 "  a<<<n, 1, 0, stream>>>(n, x);\n  b<<<n, 1, 0, stream>>>(n, x, y);\n}\n";
  out.winner =
      "__global__ void both(int n, float* x, float* y) { x[n] = y[n] = 1; }\n"
      "extern \"C\" void ab(int n, float* x, float* y, mep_stream_t stream) {\n"
      "  both<<<n, 1, 0, stream>>>(n, x, y);\n}\n";
  out.entry = "ab";
  out.stream_type = "hipStream_t";
  out.file = two + host;
  return out;
}

TEST(LaunchRule, ARunOfLaunchesBecomesOneCall) {
  const Result<Placed> placed = RulePlacer().place(pair_of(
      "void step(D& d, hipStream_t s) {\n  a<<<d.n, 64, 0, s>>>(d.n, d.u);\n  b<<<d.n, 64, 0, s>>>(d.n, d.u, "
      "d.v);\n  done();\n}\n"));
  ASSERT_TRUE(placed) << placed.error().text();
  EXPECT_THAT(
      canonical(placed->text),
      HasSubstr(canonical("void step(D& d, hipStream_t s) { ab_noctune(d.n, d.u, d.v, s); done(); }")));
}

TEST(LaunchRule, WhatALaunchDoesNotSayIsAnError) {
  EXPECT_THAT(
      RulePlacer()
          .place(pair_of("void f() {\n  a<<<1, 1>>>(n, u);\n  other();\n  b<<<1, 1>>>(n, u, v);\n}\n"))
          .error()
          .text(),
      HasSubstr("one right after the other"));
  EXPECT_THAT(RulePlacer()
                  .place(pair_of("void f() {\n  a<<<1, 1>>>(n, u);\n  b<<<1, 1>>>(m, u, v);\n}\n"))
                  .error()
                  .text(),
              HasSubstr("n would be both n and m"));
  EXPECT_THAT(RulePlacer().place(pair_of("void f() {}\n")).error().text(), HasSubstr("does not launch a"));
  PlaceRequest other = pair_of("");
  other.file = "__global__ void a(int n, float* x) { x[n] = 2; }\nvoid f() { a<<<1, 1>>>(n, u); }\n";
  EXPECT_THAT(RulePlacer().place(other).error().text(),
              HasSubstr("does not hold the kernel a as it was tuned"));
}

}  // namespace
}  // namespace noctune
