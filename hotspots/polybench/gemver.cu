// A rank-2 update of a matrix and two products with it:
//   A += u1 v1^T + u2 v2^T,   x += beta * A^T y + z,   w += alpha * A x.
// A is n x n, row-major; every vector has n elements.
__global__ void update_A(int n, const float* u1, const float* v1, const float* u2, const float* v2,
                         float* A) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) A[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

__global__ void update_x(int n, float beta, const float* A, const float* y, const float* z, float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; ++j) {
      x[i] += beta * A[j * n + i] * y[j];
    }
    x[i] += z[i];
  }
}

__global__ void update_w(int n, float alpha, const float* A, const float* x, float* w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; ++j) {
      w[i] += alpha * A[i * n + j] * x[j];
    }
  }
}

extern "C" void gemver(int n, float alpha, float beta, const float* u1, const float* v1, const float* u2,
                       const float* v2, const float* y, const float* z, float* A, float* x, float* w,
                       mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((n + 31) / 32, (n + 7) / 8);
  update_A<<<grid, block, 0, stream>>>(n, u1, v1, u2, v2, A);
  update_x<<<(n + 255) / 256, 256, 0, stream>>>(n, beta, A, y, z, x);
  update_w<<<(n + 255) / 256, 256, 0, stream>>>(n, alpha, A, x, w);
}
