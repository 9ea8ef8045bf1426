// Contraction of the last index of a tensor with a matrix, in place, as in multiresolution analysis:
//   A(r, q, p) = sum over s of A(r, q, s) * C4(s, p).
// A is nr x nq x np, C4 is np x np, row-major; sum is as large as A. One slice r after the other.
__global__ void contract(int r, int nq, int np, const float* C4, const float* A, float* sum) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int q = blockIdx.y * blockDim.y + threadIdx.y;
  if (q < nq && p < np) {
    sum[(r * nq + q) * np + p] = 0.0f;
    for (int s = 0; s < np; ++s) {
      sum[(r * nq + q) * np + p] += A[(r * nq + q) * np + s] * C4[s * np + p];
    }
  }
}

__global__ void bring_home(int r, int nq, int np, const float* sum, float* A) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int q = blockIdx.y * blockDim.y + threadIdx.y;
  if (q < nq && p < np) A[(r * nq + q) * np + p] = sum[(r * nq + q) * np + p];
}

extern "C" void doitgen(int nr, int nq, int np, const float* C4, float* A, float* sum, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((np + 31) / 32, (nq + 7) / 8);
  for (int r = 0; r < nr; ++r) {
    contract<<<grid, block, 0, stream>>>(r, nq, np, C4, A, sum);
    bring_home<<<grid, block, 0, stream>>>(r, nq, np, sum, A);
  }
}
