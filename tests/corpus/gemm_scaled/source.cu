#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 8

__global__ void gemm_update(int ni, int nj, int nk, float alpha, float beta, const float *a, const float *b, float *c)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < ni) && (j < nj)) {
    c[i * nj + j] *= beta;
    for (int k = 0; k < nk; k++)
      c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}

/* host side:
     dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
     dim3 grid((size_t)ceil((float)NJ / block.x), (size_t)ceil((float)NI / block.y));
     gemm_update<<<grid, block>>>(NI, NJ, NK, alpha, beta, A_gpu, B_gpu, C_gpu);
*/
