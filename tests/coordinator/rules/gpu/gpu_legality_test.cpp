// What the rules must leave alone.
#include "coordinator/rules/gpu/gpu_kernels.hpp"

namespace noctune {
namespace {

using namespace rules_test;

bool refuses(const GpuSource& source, const std::string& recipe) {
  return !applies(gpu_context(source), recipe);
}

TEST(GpuLegality, RefusesSourcesWithoutLaunches) {
  GpuSource source = triad_source();
  source.text = "extern \"C\" void triad(int n, mep_stream_t stream) {}\n";
  const auto book = RuleBook::read(gpu_context(source));
  ASSERT_FALSE(book);
  EXPECT_TRUE(has(book.error().text(), "launches no kernel"));
}

TEST(GpuLegality, SurvivesBrokenText) {
  for (const GpuSource& source : gpu_sources())
    for (std::size_t cut = 1; cut < source.text.size(); cut += 37) {
      GpuSource broken = source;
      broken.text.erase(cut, 23);
      const auto book = RuleBook::read(gpu_context(broken));
      if (!book) continue;
      EXPECT_LE(book->propose("", {}, 2).size(), 2u);
    }
}

TEST(GpuLegality, ShapesNeedAGuard) {
  const GpuSource open = changed(triad_source(), "if (i < n) {", "{");
  EXPECT_TRUE(refuses(open, "block(x=128)"));
  EXPECT_TRUE(refuses(open, "stride(factor=2)"));
  EXPECT_TRUE(refuses(open, "vector-loads"));
  // The guard lets more through than the grid has.
  EXPECT_TRUE(refuses(changed(triad_source(), "if (i < n) {", "if (i < n + 7) {"), "block(x=128)"));
  // A grid that cuts off the rest.
  EXPECT_TRUE(refuses(changed(triad_source(), "(n + 255) / 256", "n / 256"), "block(x=128)"));
}

TEST(GpuLegality, ShapesLeaveAssumedBlocksAlone) {
  const GpuSource shared = changed(triad_source(), "if (i < n) {",
                                   "__shared__ float line[256];\n  line[threadIdx.x] = 0;\n  if (i < n) {");
  EXPECT_TRUE(refuses(shared, "block(x=128)"));
  EXPECT_TRUE(
      refuses(changed(triad_source(), "a[i] * scaled", "a[i] * scaled * threadIdx.x"), "block(x=128)"));
  // The constant in the kernel is not the launch's.
  EXPECT_TRUE(
      refuses(changed(stencil_source(), "dim3 block(BLOCK, BLOCK)", "dim3 block(8, BLOCK)"), "block(x=64)"));
  // A helper that asks for its place.
  GpuSource helper = changed(triad_source(), "a[i] * scaled", "a[i] * scaled * weight()");
  helper.text = "__device__ float weight() { return threadIdx.x; }\n" + helper.text;
  EXPECT_TRUE(refuses(helper, "block(x=128)"));
}

TEST(GpuLegality, ReciprocalRootsStandForDivisorsAlone) {
  const std::string recipe = "reciprocal-root";
  const auto body = [](const char* text) {
    return changed(nbody_source(), "float pull = mass[j] / (distance * distance * distance);", text);
  };
  EXPECT_FALSE(refuses(body("float pull = mass[j] / distance;"), recipe));
  // The root itself is used, is changed, or is no factor of the divisor alone.
  EXPECT_TRUE(refuses(body("float pull = mass[j] / distance + distance;"), recipe));
  EXPECT_TRUE(refuses(body("distance += 1.0f;\n      float pull = mass[j] / distance;"), recipe));
  EXPECT_TRUE(refuses(body("float pull = mass[j] / (distance + 1.0f);"), recipe));
  EXPECT_TRUE(refuses(body("float pull = mass[j] / (distance * dx);"), recipe));
  EXPECT_TRUE(refuses(body("float pull = mass[j] * distance;"), recipe));
  // A wider numerator, and a root kept wider than it is.
  EXPECT_TRUE(refuses(body("double weight = 2.0;\n      float pull = weight / distance;"), recipe));
  EXPECT_TRUE(refuses(changed(nbody_source(), "float distance", "double distance"), recipe));
}

TEST(GpuLegality, TilesNeedFactorsThatNobodyWrites) {
  const std::string recipe = "accumulate;register-tiles";
  EXPECT_TRUE(refuses(
      changed(gemm_source(), "(m, n, k, alpha, beta, A, B, C)", "(m, n, k, alpha, beta, A, C, C)"), recipe));
  // Not a product: padding with zeros would count.
  EXPECT_TRUE(refuses(
      changed(gemm_source(), "alpha * A[i * k + p] * B[p * n + j]", "A[i * k + p] + B[p * n + j]"), recipe));
  EXPECT_TRUE(refuses(changed(gemm_source(), "p = 0", "p = i"), recipe));
  EXPECT_TRUE(refuses(changed(gemm_source(), "B[p * n + j]", "B[p * n + j + i]"), recipe));
}

TEST(GpuLegality, StagingNeedsEveryThread) {
  EXPECT_TRUE(
      refuses(changed(nbody_source(), "ax += pull * dx;", "ax += pull * dx; if (j == i) break;"), "stage"));
  EXPECT_TRUE(refuses(changed(nbody_source(), "j < n; ++j", "j < i; ++j"), "stage"));
  EXPECT_TRUE(refuses(changed(nbody_source(), "if (i < n)", "if (i < n - 1)"), "stage"));
  EXPECT_TRUE(refuses(changed(nbody_source(), "ax += pull * dx;", "ax += pull * dx; acceleration[j] = dx;"),
                      "stage"));
}

TEST(GpuLegality, RowsOfLanesNeedRows) {
  // Neighbouring threads already read neighbours.
  EXPECT_TRUE(refuses(changed(matvec_source(), "A[i * n + j]", "A[j * n + i]"), "accumulate;warp-rows"));
  // The sum is read on the way.
  EXPECT_TRUE(refuses(changed(spmv_source(), "x[col[e]]", "x[col[e]] * sum"), "warp-rows"));
}

TEST(GpuLegality, RowsOfThreadsReadTogether) {
  EXPECT_FALSE(refuses(columns_source(), "thread-rows"));
  EXPECT_FALSE(refuses(nbody_source(), "thread-rows"));
  // Neighbours read rows of their own, or in loops of their own.
  EXPECT_TRUE(refuses(matvec_source(), "accumulate;thread-rows"));
  EXPECT_TRUE(refuses(spmv_source(), "thread-rows"));
  // The order of the iterations matters.
  EXPECT_TRUE(refuses(changed(columns_source(), "* x[i]", "* x[i] * sum"), "thread-rows"));
  EXPECT_TRUE(refuses(changed(columns_source(), "* x[i];", "* x[i]; if (sum > 1) break;"), "thread-rows"));
  // Another value is made from the start of the sum.
  EXPECT_TRUE(refuses(changed(columns_source(), "double top = 0.0", "double top = sum"), "thread-rows"));
  // No such block.
  EXPECT_TRUE(refuses(columns_source(), "thread-rows(groups=64)"));
  EXPECT_TRUE(refuses(columns_source(), "thread-rows(x=16)"));
}

TEST(GpuLegality, StretchesNeedAFixedGrid) {
  const GpuSource source = stretches_source();
  const auto without = [&](const GpuSource& one) { return made(gpu_context(one), "warp-rows"); };
  EXPECT_TRUE(has(without(source), "stretch_kernel<<<48, 256"));
  // The number of threads is not known, or is not that of all launches.
  for (const char* launch : {"<<<n, 64,", "<<<(n + 63) / 64, 64,"})
    EXPECT_TRUE(has(without(changed(source, "<<<6, 64,", launch)), std::string("stretch_kernel") + launch));
  const std::string again =
      "  stretch_kernel<<<7, 64, 0, stream>>>(n, a, b, sums, largest);\n  finish_kernel";
  EXPECT_TRUE(has(without(changed(source, "  finish_kernel", again)), "stretch_kernel<<<6, 64,"));
  // The grid is asked for elsewhere.
  EXPECT_TRUE(
      has(without(changed(source, "sum += a[i]", "sum += gridDim.x * a[i]")), "stretch_kernel<<<6, 64,"));
  // The largest one so far is looked at.
  EXPECT_TRUE(has(without(changed(source, "sum += a[i]", "sum += top * a[i]")), "stretch_kernel<<<6, 64,"));
  // A product of all is no sum.
  EXPECT_TRUE(has(without(changed(source, "sum += a[i]", "sum *= a[i]")), "stretch_kernel<<<6, 64,"));
}

TEST(GpuLegality, ElementsNeedTheWholeGrid) {
  const GpuSource source = strided_source();
  const auto refused = [&](const char* from, const char* to) {
    return refuses(changed(source, from, to), "elements");
  };
  EXPECT_FALSE(refuses(source, "elements"));
  EXPECT_TRUE(refused("i += blockDim.x * gridDim.x", "i += blockDim.x"));
  EXPECT_TRUE(refused("i += blockDim.x * gridDim.x", "i += 2 * blockDim.x * gridDim.x"));
  EXPECT_TRUE(refused("int i = blockIdx.x", "int i = 1 + blockIdx.x"));
  EXPECT_TRUE(refused("<<<2, 128,", "<<<dim3(2, 2), 128,"));
  // What an earlier round of the same thread wrote.
  EXPECT_TRUE(refused("y[i] = y[i] +", "y[i] = y[i - gridDim.x * blockDim.x] +"));
  EXPECT_TRUE(refused("y[i] = y[i] +", "y[i] = y[i - 1] +"));
  EXPECT_TRUE(refused("y[i] = y[i] +", "if (y[i] < 0) break; y[i] = y[i] +"));
  EXPECT_TRUE(refused("y[i] = y[i] +", "y[i] = gridDim.x +"));
  EXPECT_TRUE(refused("(n, s, x, y)", "(n, s, y, y)"));
  EXPECT_TRUE(refused("twice * x[i]", "look(x, i)"));
  EXPECT_TRUE(refuses(changed(changed(source, "i < n", "i < end"), "const double twice",
                              "const int end = n; const double twice"),
                      "elements"));
  GpuSource helper = changed(source, "twice * x[i]", "twice * x[i] * PLACE");
  helper.text = "#define PLACE threadIdx.x\n" + helper.text;
  EXPECT_TRUE(refuses(helper, "elements"));
}

TEST(GpuLegality, SumsOfElementsKeepTheirStart) {
  const GpuSource source = tree_source();
  const auto refused = [&](const char* from, const char* to) {
    return refuses(changed(source, from, to), "elements");
  };
  EXPECT_FALSE(refuses(source, "elements"));
  EXPECT_TRUE(refused("sum = 0.0f", "sum = 1.0f"));
  EXPECT_TRUE(refused("float sum", "double sum"));
  EXPECT_TRUE(refused("sum += left * b[i]", "sum += sum * left * b[i]"));
  EXPECT_TRUE(refused("<<<3, 256,", "<<<3, 96,"));
  EXPECT_TRUE(refused("const float left = a[i];", "const float left = a[i] * buffer[0];"));
  EXPECT_TRUE(refused("s = blockDim.x / 2", "s = blockDim.x / 4"));
  EXPECT_TRUE(refused("if (tid == 0) atomicAdd", "if (tid < 2) atomicAdd"));
}

TEST(GpuLegality, WideRowsReadOnlyWhatIsRead) {
  const GpuSource source = stretches_source();
  const std::string recipe = "warp-rows(vector=1)";
  EXPECT_TRUE(has(made(gpu_context(source), recipe), "b_wide"));
  const GpuSource guarded = changed(source, "sum += a[i] * b[i];", "if (a[i] > 0.2) sum += a[i] * b[i];");
  EXPECT_FALSE(has(made(gpu_context(guarded), recipe), "b_wide"));
  const GpuSource apart = changed(source, "sum += a[i] * b[i];", "sum += a[i] * b[2 * i];");
  EXPECT_FALSE(has(made(gpu_context(apart), recipe), "b_wide"));
}

TEST(GpuLegality, SumsAndBinsKeepOtherUses) {
  EXPECT_TRUE(refuses(changed(dot_source(), "atomicAdd(out, a[i] * b[i])", "atomicAdd(&out[i], a[i] * b[i])"),
                      "block-sum"));
  EXPECT_TRUE(refuses(changed(dot_source(), "a[i] * b[i])", "a[i] * out[0])"), "block-sum"));
  EXPECT_TRUE(refuses(changed(histogram_source(), "readings[i] >= 0", "counts[i] >= 0"), "private-bins"));
  GpuSource large = histogram_source();
  large.sizes["bins"] = 100000;
  EXPECT_TRUE(refuses(large, "private-bins"));
}

TEST(GpuLegality, WideLoadsNeedWholeElements) {
  EXPECT_TRUE(refuses(changed(triad_source(), "a[i] * scaled", "a[i + 1] * scaled"), "vector-loads"));
  EXPECT_TRUE(refuses(changed(triad_source(), "c[i] =", "if (a[i] > 0) c[i] ="), "vector-loads"));
}

TEST(GpuLegality, RestrictNeedsDistinctBuffers) {
  const GpuSource twice = changed(triad_source(), "(n, s, a, b, c)", "(n, s, a, c, c)");
  const std::string text = made(gpu_context(changed(twice, "const float* a, const float* b, float* c) {",
                                                    "float* a, const float* b, float* c) {")),
                                "read-only");
  EXPECT_TRUE(has(text, "const float* a, const float* b, float* c) {")) << text;
  EXPECT_FALSE(has(text, "__restrict__")) << text;
}

TEST(GpuLegality, TransposesOnlyTransposes) {
  EXPECT_TRUE(
      refuses(changed(transpose_source(), "out[x * rows + y]", "out[y * cols + x]"), "transpose-tiles"));
  EXPECT_TRUE(
      refuses(changed(transpose_source(), "in[y * cols + x];", "out[y * cols + x];"), "transpose-tiles"));
}

TEST(GpuLegality, DynamicMemoryAndFixedBoundsStay) {
  EXPECT_TRUE(refuses(changed(triad_source(), "256, 0, stream", "256, 1024, stream"), "block(x=128)"));
  EXPECT_TRUE(
      refuses(changed(triad_source(), "void triad_kernel", "void __launch_bounds__(256) triad_kernel"),
              "block(x=512)"));
  EXPECT_TRUE(refuses(
      changed(triad_source(), "void triad_kernel", "void __launch_bounds__(256) triad_kernel"), "bounds"));
}

}  // namespace
}  // namespace noctune
