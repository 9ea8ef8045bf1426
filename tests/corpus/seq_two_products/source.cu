// D = beta * D + (alpha * A * B) * C, two kernels that share tmp. DATA_TYPE is set by the build.
#ifndef DATA_TYPE
#define DATA_TYPE float
#endif
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 8

__global__ void product_first(int ni, int nj, int nk, int nl, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE* tmp,
                              DATA_TYPE* A, DATA_TYPE* B) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < ni) && (j < nj)) {
    tmp[i * nj + j] = 0;
    for (int k = 0; k < nk; ++k) tmp[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
  }
}

__global__ void product_second(int ni, int nj, int nk, int nl, DATA_TYPE alpha, DATA_TYPE beta,
                               DATA_TYPE* tmp, DATA_TYPE* C, DATA_TYPE* D) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < ni) && (j < nl)) {
    D[i * nl + j] *= beta;
    for (int k = 0; k < nj; ++k) D[i * nl + j] += tmp[i * nj + k] * C[k * nl + j];
  }
}

// dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
// dim3 grid1((size_t)ceil((float)nj / block.x), (size_t)ceil((float)ni / block.y));
// dim3 grid2((size_t)ceil((float)nl / block.x), (size_t)ceil((float)ni / block.y));
// product_first<<<grid1, block>>>(ni, nj, nk, nl, alpha, beta, tmp, A, B);
// product_second<<<grid2, block>>>(ni, nj, nk, nl, alpha, beta, tmp, C, D);
