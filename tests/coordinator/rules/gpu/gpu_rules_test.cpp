// What each rule writes.
#include "coordinator/rules/gpu/gpu_rules.hpp"

#include "coordinator/rules/gpu/gpu_kernels.hpp"

namespace noctune {
namespace {

using namespace rules_test;

TEST(GpuRules, EmptyRecipeIsTheOriginal) {
  for (const GpuSource& source : gpu_sources()) EXPECT_EQ(made(gpu_context(source), ""), source.text);
}

TEST(GpuRules, BlockShapeMovesTheGrid) {
  const std::string text = made(gpu_context(gemm_source()), "block(x=32,y=8)");
  EXPECT_TRUE(has(text, "gemm_kernel<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8), 0, stream>>>")) << text;
  // What described the old shape goes.
  EXPECT_FALSE(has(text, "dim3 block") || has(text, "dim3 grid")) << text;
  EXPECT_TRUE(has(made(gpu_context(triad_source()), "block(x=512)"),
                  "triad_kernel<<<(n + 511) / 512, 512, 0, stream>>>"));
  EXPECT_TRUE(has(made(gpu_context(matvec_source()), "block(x=64)"),
                  "matvec_kernel<<<(n + 63) / 64, 64, 0, stream>>>"));
}

TEST(GpuRules, BlockShapeFreesAConstantWidth) {
  const std::string text = made(gpu_context(stencil_source()), "block(x=64,y=4)");
  EXPECT_TRUE(has(text, "int j = blockIdx.x * blockDim.x + threadIdx.x;")) << text;
  EXPECT_TRUE(has(text, "<<<dim3((n + 63) / 64, (n + 3) / 4), dim3(64, 4), 0, stream>>>(n, b, a)")) << text;
}

TEST(GpuRules, LaunchBoundsMeanWavesOnHip) {
  const GpuSource small = changed(changed(nbody_source(), "255", "127"), "256", "128");
  EXPECT_TRUE(
      has(made(gpu_context(gemm_source()), "bounds"), "__global__ void __launch_bounds__(256) gemm_kernel("));
  EXPECT_TRUE(has(made(gpu_context(gemm_source()), "bounds(blocks=2)"), "__launch_bounds__(256, 2) "));
  // Two blocks of four waves are two waves on each of the four SIMDs.
  EXPECT_TRUE(has(made(gpu_context(gemm_source(), "hip"), "bounds(blocks=2)"), "__launch_bounds__(256, 2) "));
  EXPECT_TRUE(has(made(gpu_context(small, "hip"), "bounds(blocks=4)"), "__launch_bounds__(128, 2) "));
  EXPECT_TRUE(has(made(gpu_context(small), "bounds(blocks=4)"), "__launch_bounds__(128, 4) "));
}

TEST(GpuRules, ReadOnlyMarksParameters) {
  GpuSource source = gemm_source();
  const std::size_t at = source.text.find("const double* A, const double* B, double* C) {");
  source.text.replace(at, 15, "double* A");
  const std::string text = made(gpu_context(source), "read-only(ldg=1)");
  EXPECT_TRUE(
      has(text, "const double* __restrict__ A, const double* __restrict__ B, double* __restrict__ C) {"))
      << text;
  EXPECT_TRUE(has(text, "alpha * __ldg(&A[i * k + p]) * __ldg(&B[p * n + j])")) << text;
  EXPECT_FALSE(has(text, "__ldg(&C")) << text;
}

TEST(GpuRules, AccumulatesInARegister) {
  const std::string text = made(gpu_context(gemm_source()), "accumulate");
  EXPECT_TRUE(has(text, "double C_sum = C[i * n + j] * beta;")) << text;
  EXPECT_TRUE(has(text, "C_sum += alpha * A[i * k + p] * B[p * n + j];")) << text;
  EXPECT_TRUE(has(text, "C[i * n + j] = C_sum;")) << text;
  // The loop runs at least once, so the element may be read before it.
  EXPECT_TRUE(has(made(gpu_context(matvec_source()), "accumulate"), "double y_sum = y[i];"));
}

TEST(GpuRules, TilesAContraction) {
  const std::string text =
      made(gpu_context(gemm_source()), "accumulate;register-tiles(rows=4,cols=2,depth=8)");
  EXPECT_TRUE(has(text, "__shared__ double left_tile[8][64 + 1];")) << text;
  EXPECT_TRUE(has(text, "__shared__ double right_tile[8][32 + 1];")) << text;
  EXPECT_TRUE(has(text, "sums[r][c] += alpha * left[r] * right[c];")) << text;
  EXPECT_TRUE(has(text, "<<<dim3((n + 31) / 32, (m + 63) / 64), dim3(16, 16), 0, stream>>>")) << text;
}

TEST(GpuRules, StagesBodies) {
  const GpuSource source = changed(nbody_source(), "float dx =", "if (j == i) continue;\n      float dx =");
  const std::string text = made(gpu_context(source), "stage(size=64,unroll=4)");
  EXPECT_TRUE(has(text, "__shared__ float staged0[64];")) << text;
  EXPECT_TRUE(has(text, "const int i = thread < n ? thread : n - 1;")) << text;
  EXPECT_TRUE(has(text, "if (j == i) {")) << text;
  EXPECT_TRUE(has(text, "#pragma unroll 4\n")) << text;
  EXPECT_TRUE(has(text, "accelerate<<<(n + 63) / 64, 64, 0, stream>>>")) << text;
}

TEST(GpuRules, MultipliesByReciprocalRoots) {
  const std::string text = made(gpu_context(nbody_source()), "reciprocal-root");
  EXPECT_TRUE(
      has(text, "float inverse_distance = rsqrtf(dx * dx + dy * dy + dz * dz + softening * softening);"))
      << text;
  EXPECT_TRUE(has(text, "float pull = mass[j] * (inverse_distance * inverse_distance * inverse_distance);"))
      << text;
  const GpuSource direct =
      changed(triad_source(), "a[i] * scaled", "1.0f / sqrtf(a[i]) + scaled / sqrtf(a[i])");
  const std::string calls = made(gpu_context(direct), "reciprocal-root");
  EXPECT_TRUE(has(calls, "rsqrtf(a[i]) + scaled * rsqrtf(a[i])")) << calls;
}

TEST(GpuRules, ShufflesAreMacros) {
  const std::string text = made(gpu_context(spmv_source()), "warp-rows(lanes=8,x=128)");
  EXPECT_TRUE(has(text, "#define SHUFFLE_DOWN(value, offset, lanes) __shfl_down(value, offset, lanes)"))
      << text;
  EXPECT_TRUE(has(text, "for (int e = row_ptr[i] + lane; e < row_ptr[i + 1]; e += 8) {")) << text;
  EXPECT_TRUE(has(text, "sum += SHUFFLE_DOWN(sum, offset, 8);")) << text;
  EXPECT_TRUE(has(text, "<<<(rows + 15) / 16, 128, 0, stream>>>")) << text;
}

TEST(GpuRules, StretchesOfAFixedGridAreRows) {
  const std::string text = made(gpu_context(reduction_source()), "warp-rows(vector=1)");
  EXPECT_TRUE(has(text, "int threads = 16384;")) << text;
  EXPECT_TRUE(has(text, "const int end = stretch < n - thread * stretch ? stretch : n - thread * stretch;"))
      << text;
  EXPECT_TRUE(has(text, "*reinterpret_cast<const float4*>(in + (thread * stretch + first));")) << text;
  EXPECT_TRUE(has(text, "partial_sums<<<2048, 256, 0, stream>>>")) << text;
  // The thread that was alone becomes a block.
  EXPECT_TRUE(has(text, "for (int i = done + lane; i < count; i += 1024) {")) << text;
  EXPECT_TRUE(has(text, "total<<<1, 1024, 0, stream>>>(16384, partial, out);")) << text;
}

TEST(GpuRules, RowsMayTakeABlock) {
  const std::string text = made(gpu_context(matvec_source()), "accumulate;warp-rows(lanes=128)");
  EXPECT_TRUE(has(text, "const int i = blockIdx.x;")) << text;
  EXPECT_TRUE(has(text, "y_sum = y_sum_parts[threadIdx.x % 4];")) << text;
  EXPECT_TRUE(has(text, "matvec_kernel<<<n, 128, 0, stream>>>")) << text;
}

TEST(GpuRules, ColumnsTakeRowsOfThreads) {
  const std::string text = made(gpu_context(columns_source()), "thread-rows(groups=8)");
  EXPECT_TRUE(has(text, "const int j = blockIdx.x * 32 + threadIdx.x;")) << text;
  EXPECT_TRUE(has(text, "for (int i = group; i < m; i += 8) {")) << text;
  EXPECT_TRUE(has(text, "double sum = group == 0 ? y[j] : static_cast<double>(0);")) << text;
  EXPECT_TRUE(has(text, "sum += sum_parts[other][threadIdx.x];")) << text;
  EXPECT_TRUE(has(text, "top = fmax(top, top_parts[other][threadIdx.x]);")) << text;
  EXPECT_TRUE(has(text, "columns_kernel<<<(n + 31) / 32, dim3(32, 8), 0, stream>>>")) << text;
}

TEST(GpuRules, LargestValuesAreShuffledToo) {
  const std::string text = made(gpu_context(stretches_source()), "warp-rows(lanes=8)");
  EXPECT_TRUE(has(text, "top = fmax(top, SHUFFLE_DOWN(top, offset, 8));")) << text;
  EXPECT_TRUE(has(text, "if (top_other > top) top = top_other;")) << text;
  EXPECT_TRUE(has(text, "double sum = lane == 0 ? 0.5 : static_cast<double>(0);")) << text;
}

TEST(GpuRules, BlocksAddUpFirst) {
  const std::string text = made(gpu_context(dot_source()), "block-sum");
  EXPECT_TRUE(has(text, "part += a[i] * b[i];")) << text;
  EXPECT_TRUE(has(text, "if (threadIdx.x == 0) atomicAdd(out, part);")) << text;
  EXPECT_TRUE(has(text, "<<<(n + 255) / 256 < 1056 ? (n + 255) / 256 : 1056, 256, 0, stream>>>")) << text;
}

TEST(GpuRules, LoopsOverTheGridBecomeElements) {
  const std::string text = made(gpu_context(strided_source()), "elements");
  EXPECT_TRUE(has(text, "if (i < n) {")) << text;
  EXPECT_TRUE(has(text, "const double twice = 2.0 * s;")) << text;
  EXPECT_TRUE(has(text, "strided_kernel<<<(n + 127) / 128, 128, 0, stream>>>")) << text;
  EXPECT_TRUE(applies(gpu_context(strided_source()), "elements;vector-loads"));
}

TEST(GpuRules, TreesBecomeSumsOfElements) {
  const std::string text = made(gpu_context(tree_source()), "elements");
  EXPECT_TRUE(has(text, "atomicAdd(out, left * b[i]);")) << text;
  EXPECT_FALSE(has(text, "__shared__") || has(text, "noctune")) << text;
  const std::string whole = made(gpu_context(tree_source()), "elements;block-sum(vector=1,x=512)");
  EXPECT_TRUE(has(whole, "vector < done; vector += gridDim.x * blockDim.x")) << whole;
  EXPECT_TRUE(has(whole, "__shared__ float part_parts[16];")) << whole;
}

// The endings that people write by hand.
TEST(GpuRules, SumsOfWarpsBecomeSumsOfElements) {
  GpuSource source = tree_source();
  const std::size_t from = source.text.find("  buffer[tid] = sum;"), to = source.text.find("}\n\nextern");
  const auto with = [&](const std::string& ending) {
    GpuSource other = source;
    other.text.replace(from, to - from, ending);
    return gpu_context(other);
  };
  for (const char* ending :
       {"  atomicAdd(out, sum);\n",
        "  for (int k = 16; k > 0; k >>= 1) sum += __shfl_down_sync(0xffffffff, sum, k);\n"
        "  if ((tid & 31) == 0) atomicAdd(out, sum);\n",
        "  for (int k = 16; k > 0; k /= 2)\n    sum += __shfl_xor_sync(0xffffffffu, sum, k);\n"
        "  if (threadIdx.x % 32 == 0) {\n    atomicAdd(&out[0], sum);\n  }\n"})
    EXPECT_TRUE(applies(with(ending), "elements;block-sum")) << ending;
  // Only half of the warp, every lane, and a sum that is used again.
  for (const char* ending :
       {"  for (int k = 8; k > 0; k >>= 1) sum += __shfl_down_sync(0xffffffff, sum, k);\n"
        "  if ((tid & 31) == 0) atomicAdd(out, sum);\n",
        "  for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, k);\n"
        "  atomicAdd(out, sum);\n",
        "  atomicAdd(out, sum);\n  atomicAdd(out, sum);\n", "  out[blockIdx.x] = sum;\n"})
    EXPECT_FALSE(applies(with(ending), "elements")) << ending;
}

TEST(GpuRules, BinsFallBackWhereTheyDoNotFit) {
  const std::string text = made(gpu_context(histogram_source()), "private-bins");
  EXPECT_TRUE(has(text, "if (bins > 4096) {")) << text;
  EXPECT_TRUE(has(text, "atomicAdd(&local_bins[readings[i] % bins], 1);")) << text;
  EXPECT_TRUE(has(text, "atomicAdd(&counts[bin], local_bins[bin]);")) << text;
}

TEST(GpuRules, WideLoadsTestTheAlignment) {
  const std::string text = made(gpu_context(triad_source()), "vector-loads");
  EXPECT_TRUE(has(text, "reinterpret_cast<unsigned long long>(a) % 16 == 0")) << text;
  EXPECT_TRUE(has(text, "float4 a_wide = *reinterpret_cast<const float4*>(a + first);")) << text;
  EXPECT_TRUE(has(text, "<<<(n + 1023) / 1024, 256, 0, stream>>>")) << text;
}

TEST(GpuRules, StridesByTheGrid) {
  const std::string text = made(gpu_context(triad_source()), "stride(waves=2)");
  EXPECT_TRUE(has(text, "i < n; i += gridDim.x * blockDim.x) {")) << text;
  EXPECT_TRUE(has(text, "(n + 255) / 256 < 264 ? (n + 255) / 256 : 264")) << text;
  EXPECT_TRUE(
      has(made(gpu_context(triad_source()), "stride(factor=4)"), "<<<(n + 1023) / 1024, 256, 0, stream>>>"));
  // Along y, so that neighbours in x stay neighbours.
  EXPECT_TRUE(
      has(made(gpu_context(gemm_source()), "stride(factor=2)"), "i < m; i += gridDim.y * blockDim.y) {"));
}

TEST(GpuRules, UnrollsInnermostLoops) {
  const std::string text = made(gpu_context(gemm_source()), "unroll-loops(times=8)");
  EXPECT_TRUE(has(text, "#pragma unroll 8\n    for (int p = 0; p < k; ++p)")) << text;
}

}  // namespace
}  // namespace noctune
