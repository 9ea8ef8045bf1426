// The two products of a step of the biconjugate gradient method: q = A p and s = A^T r.
// A is nx x ny, row-major; p and s have ny elements, q and r have nx.
__global__ void transpose_times_r(int nx, int ny, const float* A, const float* r, float* s) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    s[j] = 0.0f;
    for (int i = 0; i < nx; ++i) {
      s[j] += A[i * ny + j] * r[i];
    }
  }
}

__global__ void times_p(int nx, int ny, const float* A, const float* p, float* q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    q[i] = 0.0f;
    for (int j = 0; j < ny; ++j) {
      q[i] += A[i * ny + j] * p[j];
    }
  }
}

extern "C" void bicg(int nx, int ny, const float* A, const float* p, const float* r, float* q, float* s,
                     mep_stream_t stream) {
  transpose_times_r<<<(ny + 255) / 256, 256, 0, stream>>>(nx, ny, A, r, s);
  times_p<<<(nx + 255) / 256, 256, 0, stream>>>(nx, ny, A, p, q);
}
