// Three matrix products: E = A * B, F = C * D, then G = E * F.
// A is ni x nk, B is nk x nj, C is nj x nm, D is nm x nl; E is ni x nj, F is nj x nl, G is ni x nl, all
// row-major.
__global__ void product_ab(int ni, int nj, int nk, const float* A, const float* B, float* E) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    E[i * nj + j] = 0.0f;
    for (int k = 0; k < nk; ++k) {
      E[i * nj + j] += A[i * nk + k] * B[k * nj + j];
    }
  }
}

__global__ void product_cd(int nj, int nl, int nm, const float* C, const float* D, float* F) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nj && j < nl) {
    F[i * nl + j] = 0.0f;
    for (int k = 0; k < nm; ++k) {
      F[i * nl + j] += C[i * nm + k] * D[k * nl + j];
    }
  }
}

__global__ void product_ef(int ni, int nj, int nl, const float* E, const float* F, float* G) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nl) {
    G[i * nl + j] = 0.0f;
    for (int k = 0; k < nj; ++k) {
      G[i * nl + j] += E[i * nj + k] * F[k * nl + j];
    }
  }
}

extern "C" void mm3(int ni, int nj, int nk, int nl, int nm, const float* A, const float* B, const float* C,
                    const float* D, float* E, float* F, float* G, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid_E((nj + 31) / 32, (ni + 7) / 8);
  dim3 grid_F((nl + 31) / 32, (nj + 7) / 8);
  dim3 grid_G((nl + 31) / 32, (ni + 7) / 8);
  product_ab<<<grid_E, block, 0, stream>>>(ni, nj, nk, A, B, E);
  product_cd<<<grid_F, block, 0, stream>>>(nj, nl, nm, C, D, F);
  product_ef<<<grid_G, block, 0, stream>>>(ni, nj, nl, E, F, G);
}
