// Small CUDA sources in the form of the entries, for the tests of the rules.
#pragma once

#include "base/files.hpp"
#include "coordinator/rules/kernels.hpp"
#include "hotspots/cuda/names.hpp"

namespace noctune::rules_test {

struct GpuSource {
  std::string name;
  std::string text;
  std::vector<ParamSpec> params;
  std::map<std::string, long long> sizes;
};

inline RuleContext gpu_context(const GpuSource& source, const std::string& backend = "cuda") {
  RuleContext context;
  context.source = source.text;
  context.entry = source.name;
  context.backend = backend;
  context.multiprocessors = 132;
  context.spec.entry = source.name;
  context.spec.params = source.params;
  context.sizes = source.sizes;
  return context;
}

// One of hotspots/cuda, as it is shipped.
inline GpuSource hotspot_source(const std::string& name, const std::map<std::string, long long>& sizes) {
  const MepSpec spec = cuda_spec(name);
  return {spec.entry, value_or_throw(read_file((cuda_folder() / (name + ".cu")).string())), spec.params,
          sizes};
}

inline GpuSource changed(GpuSource source, const std::string& from, const std::string& to) {
  for (std::size_t at = source.text.find(from); at != std::string::npos;
       at = source.text.find(from, at + to.size()))
    source.text.replace(at, from.size(), to);
  return source;
}

inline GpuSource reduction_source() {
  return hotspot_source("reduction", {{"n", 20011}, {"threads", 16384}});
}

inline GpuSource gemm_source() {
  return {"gemm",
          R"(// C = alpha A B + beta C, row-major.
__global__ void gemm_kernel(int m, int n, int k, double alpha, double beta, const double* A, const double* B, double* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n) {
    C[i * n + j] *= beta;
    for (int p = 0; p < k; ++p) C[i * n + j] += alpha * A[i * k + p] * B[p * n + j];
  }
}

extern "C" void gemm(int m, int n, int k, double alpha, double beta, const double* A, const double* B, double* C,
                     mep_stream_t stream) {
  dim3 block(16, 16);
  dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  gemm_kernel<<<grid, block, 0, stream>>>(m, n, k, alpha, beta, A, B, C);
}
)",
          {value_param("m"), value_param("n"), value_param("k"), value_param("alpha", "double"),
           value_param("beta", "double"), buffer("A", "const double*", "m*k", Role::in),
           buffer("B", "const double*", "k*n", Role::in), buffer("C", "double*", "m*n", Role::inout)},
          {{"m", 67}, {"n", 45}, {"k", 53}}};
}

inline GpuSource syrk_source() {
  return {"syrk",
          R"(__global__ void syrk_kernel(int n, int m, const float* A, float* C) {
  const int tx = threadIdx.x;
  const int col = blockIdx.x * blockDim.x + tx;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < m; k++) {
    const float left = A[row * m + k];
    sum += left * A[col * m + k];
  }
  C[row * n + col] = sum;
}

extern "C" void syrk(int n, int m, const float* A, float* C, mep_stream_t stream) {
  const int threads = 16;
  const dim3 block(threads, threads), grid((n + threads - 1) / threads, (n + threads - 1) / threads);
  syrk_kernel<<<grid, block, 0, stream>>>(n, m, A, C);
}
)",
          {value_param("n"), value_param("m"), buffer("A", "const float*", "n*m", Role::in),
           buffer("C", "float*", "n*n", Role::out)},
          {{"n", 61}, {"m", 40}}};
}

inline GpuSource nbody_source() {
  return hotspot_source("n-body", {{"n", 333}});
}

inline GpuSource matvec_source() {
  return {"matvec",
          R"(__global__ void matvec_kernel(int n, const double* A, const double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; ++j) y[i] += A[i * n + j] * x[j];
  }
}

extern "C" void matvec(int n, const double* A, const double* x, double* y, mep_stream_t stream) {
  int blocks = (n + 255) / 256;
  matvec_kernel<<<blocks, 256, 0, stream>>>(n, A, x, y);
}
)",
          {value_param("n"), buffer("A", "const double*", "n*n", Role::in),
           buffer("x", "const double*", "n", Role::in), buffer("y", "double*", "n", Role::inout)},
          {{"n", 157}}};
}

// Sums down columns, with a start of their own, and each column's largest element.
inline GpuSource columns_source() {
  return {
      "columns",
      R"(__global__ void columns_kernel(int m, int n, const double* A, const double* x, double* y, double* largest) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    double sum = y[j];
    double top = 0.0;
    for (int i = 0; i < m; ++i) {
      sum += A[i * n + j] * x[i];
      top = fmax(top, A[i * n + j]);
    }
    y[j] = sum;
    largest[j] = top;
  }
}

extern "C" void columns(int m, int n, const double* A, const double* x, double* y, double* largest, mep_stream_t stream) {
  columns_kernel<<<(n + 255) / 256, 256, 0, stream>>>(m, n, A, x, y, largest);
}
)",
      {value_param("m"), value_param("n"), buffer("A", "const double*", "m*n", Role::in),
       buffer("x", "const double*", "m", Role::in), buffer("y", "double*", "n", Role::inout),
       buffer("largest", "double*", "n", Role::out)},
      {{"m", 71}, {"n", 157}}};
}

inline GpuSource spmv_source() {
  return {
      "spmv",
      R"(__global__ void spmv_kernel(int rows, const int* row_ptr, const int* col, const double* val, const double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) {
    double sum = 0.0;
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) sum += val[e] * x[col[e]];
    y[i] = sum;
  }
}

extern "C" void spmv(int rows, const int* row_ptr, const int* col, const double* val, const double* x, double* y,
                     mep_stream_t stream) {
  spmv_kernel<<<(rows + 255) / 256, 256, 0, stream>>>(rows, row_ptr, col, val, x, y);
}
)",
      {value_param("rows"), buffer("row_ptr", "const int*", "rows+1", Role::in),
       buffer("col", "const int*", "rows*3", Role::in), buffer("val", "const double*", "rows*3", Role::in),
       buffer("x", "const double*", "rows", Role::in), buffer("y", "double*", "rows", Role::out)},
      {{"rows", 211}}};
}

inline GpuSource transpose_source() {
  return {"transpose",
          R"(__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

extern "C" void transpose(const float* in, float* out, int rows, int cols, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  transpose_kernel<<<grid, block, 0, stream>>>(in, out, rows, cols);
}
)",
          {buffer("in", "const float*", "rows*cols", Role::in),
           buffer("out", "float*", "rows*cols", Role::out), value_param("rows"), value_param("cols")},
          {{"rows", 75}, {"cols", 101}}};
}

inline GpuSource triad_source() {
  return {"triad",
          R"(__global__ void triad_kernel(int n, float s, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float scaled = s * b[i];
    c[i] = c[i] + a[i] * scaled;
  }
}

extern "C" void triad(int n, float s, const float* a, const float* b, float* c, mep_stream_t stream) {
  triad_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, s, a, b, c);
}
)",
          {value_param("n"), value_param("s", "float"), buffer("a", "const float*", "n", Role::in),
           buffer("b", "const float*", "n", Role::in), buffer("c", "float*", "n", Role::inout)},
          {{"n", 1003}}};
}

inline GpuSource dot_source() {
  return {"dot",
          R"(__global__ void dot_kernel(int n, const double* a, const double* b, double* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, a[i] * b[i]);
}

extern "C" void dot(int n, const double* a, const double* b, double* out, mep_stream_t stream) {
  dot_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, a, b, out);
}
)",
          {value_param("n"), buffer("a", "const double*", "n", Role::in),
           buffer("b", "const double*", "n", Role::in), buffer("out", "double*", "1", Role::inout)},
          {{"n", 1003}}};
}

inline GpuSource histogram_source() {
  return {"histogram",
          R"(__global__ void count_kernel(int n, int bins, const int* readings, int* counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (readings[i] >= 0) {
      atomicAdd(&counts[readings[i] % bins], 1);
    }
  }
}

extern "C" void histogram(int n, int bins, const int* readings, int* counts, mep_stream_t stream) {
  count_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, bins, readings, counts);
}
)",
          {value_param("n"), value_param("bins"), buffer("readings", "const int*", "n", Role::in),
           buffer("counts", "int*", "bins", Role::inout)},
          {{"n", 1003}, {"bins", 37}}};
}

inline GpuSource stencil_source() {
  return {"jacobi",
          R"(#define BLOCK 16
#define IDX(i, j) ((i) * n + (j))

__global__ void jacobi_kernel(int n, const double* a, double* b) {
  int j = blockIdx.x * BLOCK + threadIdx.x;
  int i = blockIdx.y * BLOCK + threadIdx.y;
  if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
    b[IDX(i, j)] = 0.2 * (a[IDX(i, j)] + a[IDX(i, j - 1)] + a[IDX(i, j + 1)] + a[IDX(i + 1, j)] + a[IDX(i - 1, j)]);
}

extern "C" void jacobi(int n, int steps, double* a, double* b, mep_stream_t stream) {
  dim3 block(BLOCK, BLOCK);
  dim3 grid((n + BLOCK - 1) / BLOCK, (n + BLOCK - 1) / BLOCK);
  for (int t = 0; t < steps; ++t) {
    jacobi_kernel<<<grid, block, 0, stream>>>(n, a, b);
    jacobi_kernel<<<grid, block, 0, stream>>>(n, b, a);
  }
}
)",
          {value_param("n"), value_param("steps"), buffer("a", "double*", "n*n", Role::inout),
           buffer("b", "double*", "n*n", Role::inout)},
          {{"n", 50}, {"steps", 2}}};
}

// With a sixteenth of the threads, to run on a CPU.
inline GpuSource small_reduction_source() {
  GpuSource source = changed(changed(reduction_source(), "<<<64,", "<<<4,"), "16384", "1024");
  source.sizes["threads"] = 1024;
  return source;
}

// Each thread of a fixed grid takes one stretch of two arrays, and one thread all that they found.
inline GpuSource stretches_source() {
  return {
      "stretches",
      R"(__global__ void stretch_kernel(int n, const double* a, const double* b, double* sums, double* largest) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int all = blockDim.x * gridDim.x;
  const int each = (n + all - 1) / all;
  double sum = 0.5, top = -1.0;
  for (int k = 0; k < each; ++k) {
    const int i = t * each + k;
    if (i < n) {
      sum += a[i] * b[i];
      top = fmax(top, a[i]);
    }
  }
  sums[t] = sum;
  largest[t] = top;
}

__global__ void finish_kernel(int count, const double* sums, const double* largest, double* out) {
  double sum = out[0];
  double top = largest[0];
  for (int i = 1; i < count; ++i) {
    sum += sums[i];
    if (largest[i] > top) top = largest[i];
  }
  out[0] = sum + sums[0];
  out[1] = top;
}

extern "C" void stretches(int n, const double* a, const double* b, double* sums, double* largest, double* out,
                          mep_stream_t stream) {
  stretch_kernel<<<6, 64, 0, stream>>>(n, a, b, sums, largest);
  finish_kernel<<<1, 1, 0, stream>>>(384, sums, largest, out);
}
)",
      {value_param("n"), buffer("a", "const double*", "n", Role::in),
       buffer("b", "const double*", "n", Role::in), buffer("sums", "double*", "384", Role::scratch),
       buffer("largest", "double*", "384", Role::scratch), buffer("out", "double*", "2", Role::inout)},
      {{"n", 20011}}};
}

// A dot product as textbooks write it: a loop over the grid, then a tree in shared memory.
inline GpuSource tree_source() {
  return {"tree",
          R"(__global__ void tree_kernel(int n, const float* a, const float* b, float* out) {
  __shared__ float buffer[256];
  const int tid = threadIdx.x;
  int start = blockIdx.x * blockDim.x + tid;
  int stride = gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (int i = start; i < n; i += stride) {
    const float left = a[i];
    sum += left * b[i];
  }
  buffer[tid] = sum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) buffer[tid] += buffer[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, buffer[0]);
}

extern "C" void tree(int n, const float* a, const float* b, float* out, mep_stream_t stream) {
  tree_kernel<<<3, 256, 0, stream>>>(n, a, b, out);
}
)",
          {value_param("n"), buffer("a", "const float*", "n", Role::in),
           buffer("b", "const float*", "n", Role::in), buffer("out", "float*", "1", Role::inout)},
          {{"n", 5003}}};
}

// An element-wise loop over a grid of its own choice.
inline GpuSource strided_source() {
  return {"strided",
          R"(__global__ void strided_kernel(int n, double s, const double* x, double* y) {
  const double twice = 2.0 * s;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    y[i] = y[i] + twice * x[i];
  }
}

extern "C" void strided(int n, double s, const double* x, double* y, mep_stream_t stream) {
  strided_kernel<<<2, 128, 0, stream>>>(n, s, x, y);
}
)",
          {value_param("n"), value_param("s", "double"), buffer("x", "const double*", "n", Role::in),
           buffer("y", "double*", "n", Role::inout)},
          {{"n", 1003}}};
}

inline std::vector<GpuSource> gpu_sources() {
  return {gemm_source(),      syrk_source(),      nbody_source(),     matvec_source(),
          columns_source(),   spmv_source(),      transpose_source(), triad_source(),
          dot_source(),       histogram_source(), stencil_source(),   small_reduction_source(),
          stretches_source(), tree_source(),      strided_source()};
}

}  // namespace noctune::rules_test
