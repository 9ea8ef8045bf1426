// Two matrix products in a row: tmp = alpha * A * B, then D = tmp * C + beta * D.
// A is ni x nk, B is nk x nj, tmp is ni x nj, C is nj x nl, D is ni x nl, all row-major.
__global__ void first_product(int ni, int nj, int nk, float alpha, const float* A, const float* B,
                              float* tmp) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    tmp[i * nj + j] = 0.0f;
    for (int k = 0; k < nk; ++k) {
      tmp[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
    }
  }
}

__global__ void second_product(int ni, int nj, int nl, float beta, const float* tmp, const float* C,
                               float* D) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nl) {
    D[i * nl + j] *= beta;
    for (int k = 0; k < nj; ++k) {
      D[i * nl + j] += tmp[i * nj + k] * C[k * nl + j];
    }
  }
}

extern "C" void mm2(int ni, int nj, int nk, int nl, float alpha, float beta, const float* A, const float* B,
                    const float* C, float* D, float* tmp, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid_tmp((nj + 31) / 32, (ni + 7) / 8);
  dim3 grid_D((nl + 31) / 32, (ni + 7) / 8);
  first_product<<<grid_tmp, block, 0, stream>>>(ni, nj, nk, alpha, A, B, tmp);
  second_product<<<grid_D, block, 0, stream>>>(ni, nj, nl, beta, tmp, C, D);
}
