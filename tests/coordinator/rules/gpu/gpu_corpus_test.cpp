// The CUDA forms of the corpus, as their call sites launch them.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "coordinator/rules/gpu/gpu_kernels.hpp"
#include "places.hpp"

namespace noctune {
namespace {

using namespace rules_test;

std::string corpus_source(const std::string& name) {
  std::ifstream file(std::string(NOCTUNE_SOURCE_DIR "/tests/corpus/") + name + "/source.cu");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

GpuSource corpus(const std::string& name, const std::string& entry, std::vector<ParamSpec> params) {
  return {"entry", corpus_source(name) + "\n" + entry, std::move(params), {}};
}

TEST(GpuCorpus, ScaledProductIsTiled) {
  const GpuSource source =
      corpus("gemm_scaled",
             "extern \"C\" void entry(int ni, int nj, int nk, float alpha, float beta, const float* a, const "
             "float* b, "
             "float* c, mep_stream_t stream) {\n"
             "  dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);\n"
             "  dim3 grid((nj + DIM_THREAD_BLOCK_X - 1) / DIM_THREAD_BLOCK_X,\n"
             "            (ni + DIM_THREAD_BLOCK_Y - 1) / DIM_THREAD_BLOCK_Y);\n"
             "  gemm_update<<<grid, block, 0, stream>>>(ni, nj, nk, alpha, beta, a, b, c);\n}\n",
             {value_param("ni"), value_param("nj"), value_param("nk"), value_param("alpha", "float"),
              value_param("beta", "float"), buffer("a", "const float*", "ni*nk", Role::in),
              buffer("b", "const float*", "nk*nj", Role::in), buffer("c", "float*", "ni*nj", Role::inout)});
  const std::string text = made(gpu_context(source), "accumulate;register-tiles");
  EXPECT_TRUE(has(text, "gemm_update<<<dim3((nj + 63) / 64, (ni + 63) / 64), dim3(16, 16), 0, stream>>>"))
      << text;
  EXPECT_TRUE(applies(gpu_context(source), "block(x=64,y=4)"));
}

TEST(GpuCorpus, BodiesAreStaged) {
  const GpuSource source =
      corpus("nbody_flat",
             "extern \"C\" void entry(int n, float dt, float eps2, const float* px, const float* py, const "
             "float* pz, "
             "const float* mass, float* vx, float* vy, float* vz, mep_stream_t stream) {\n"
             "  kick<<<(n + 255) / 256, 256, 0, stream>>>(n, dt, eps2, px, py, pz, mass, vx, vy, vz);\n}\n",
             {value_param("n"), value_param("dt", "float"), value_param("eps2", "float"),
              buffer("px", "const float*", "n", Role::in), buffer("py", "const float*", "n", Role::in),
              buffer("pz", "const float*", "n", Role::in), buffer("mass", "const float*", "n", Role::in),
              buffer("vx", "float*", "n", Role::inout), buffer("vy", "float*", "n", Role::inout),
              buffer("vz", "float*", "n", Role::inout)});
  const std::string text = made(gpu_context(source), "stage(size=128)");
  EXPECT_TRUE(has(text, "__shared__ float staged3[128];")) << text;
  EXPECT_TRUE(has(text, "float dx = staged0[at] - px[i];")) << text;
}

TEST(GpuCorpus, ElementsGoTwoByTwo) {
  const GpuSource source = corpus(
      "triad_inout",
      "extern \"C\" void entry(int n, double dt, const double* force, const double* inv_mass, double* vel, "
      "mep_stream_t stream) {\n"
      "  advance_velocity<<<(n + 255) / 256, 256, 0, stream>>>(n, dt, force, inv_mass, vel);\n}\n",
      {value_param("n"), value_param("dt", "double"), buffer("force", "const double*", "n", Role::in),
       buffer("inv_mass", "const double*", "n", Role::in), buffer("vel", "double*", "n", Role::inout)});
  EXPECT_TRUE(has(made(gpu_context(source), "vector-loads"), "double2 vel_wide = "));
}

TEST(GpuCorpus, AWalkInZKeepsItsForm) {
  const GpuSource source =
      corpus("heat3d_seven",
             "extern \"C\" void entry(const float* t_old, float* t_new, float c0, float c1, int nx, "
             "int ny, int nz, mep_stream_t stream) {\n"
             "  dim3 block(32, 4, 1);\n"
             "  dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, 1);\n"
             "  heat_step<<<grid, block, 0, stream>>>(t_old, t_new, c0, c1, nx, ny, nz);\n}\n",
             {});
  EXPECT_FALSE(applies(gpu_context(source), "accumulate;register-tiles"));
  EXPECT_FALSE(applies(gpu_context(source), "transpose-tiles"));
}

// Tiles of their own, warps and barriers are left alone.
TEST(GpuCorpus, WhatIsAlreadyTiledKeepsItsBlock) {
  const std::string in_out = "const float* in, float* out, int rows, int cols, mep_stream_t stream";
  const GpuSource source =
      corpus("tile_transpose",
             "extern \"C\" void entry(" + in_out +
                 ") {\n  dim3 grid(cols / TILE, rows / TILE), block(TILE, BLOCK_ROWS);\n"
                 "  transpose_tiles<<<grid, block, 0, stream>>>(in, out, rows, cols);\n}\n",
             {});
  for (const char* recipe : {"block(x=64,y=4)", "stride(factor=2)", "transpose-tiles"})
    EXPECT_FALSE(applies(gpu_context(source), recipe)) << recipe;
  EXPECT_TRUE(applies(gpu_context(source), "bounds"));
}

// Whatever stands in a source, nothing breaks.
TEST(GpuCorpus, EverySourceIsReadOrRefused) {
  int sources = 0;
  for (const auto& folder : std::filesystem::directory_iterator(NOCTUNE_SOURCE_DIR "/tests/corpus")) {
    if (!std::filesystem::exists(folder.path() / "source.cu")) continue;
    GpuSource source = corpus(folder.path().filename().string(), "", {});
    ++sources;
    // Functions of the source that launch serve as the entry.
    for (const char* entry : {"run_step", "entry", "launch"}) {
      source.name = entry;
      const auto book = RuleBook::read(gpu_context(source));
      if (!book) continue;
      EXPECT_LE(book->propose("", {}, 3).size(), 3u);
    }
  }
  EXPECT_GT(sources, 20);
}

}  // namespace
}  // namespace noctune
