// A matrix and its transpose, each applied to a vector: x1 += A y1 and x2 += A^T y2.
// A is n x n, row-major; every vector has n elements.
__global__ void add_product(int n, const float* A, const float* y1, float* x1) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; ++j) {
      x1[i] += A[i * n + j] * y1[j];
    }
  }
}

__global__ void add_transposed_product(int n, const float* A, const float* y2, float* x2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; ++j) {
      x2[i] += A[j * n + i] * y2[j];
    }
  }
}

extern "C" void mvt(int n, const float* A, const float* y1, const float* y2, float* x1, float* x2,
                    mep_stream_t stream) {
  add_product<<<(n + 255) / 256, 256, 0, stream>>>(n, A, y1, x1);
  add_transposed_product<<<(n + 255) / 256, 256, 0, stream>>>(n, A, y2, x2);
}
