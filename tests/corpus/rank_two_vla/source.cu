/* A := A + u1 v1' + u2 v2' */
__global__ void kernel_rank_two(int n, DATA_TYPE *A, DATA_TYPE *u1, DATA_TYPE *v1, DATA_TYPE *u2, DATA_TYPE *v2)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < n) && (j < n))
    A[i * N + j] = A[i * N + j] + u1[i] * v1[j] + u2[i] * v2[j];
}

/* y := y + beta * A' x */
__global__ void kernel_apply_transposed(int n, DATA_TYPE beta, DATA_TYPE *A, DATA_TYPE *y, DATA_TYPE *x)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++)
      y[i] = y[i] + beta * A[j * N + i] * x[j];
  }
}

void rank_two_cuda(int n, DATA_TYPE beta, DATA_TYPE *A, DATA_TYPE *u1, DATA_TYPE *v1, DATA_TYPE *u2, DATA_TYPE *v2,
                   DATA_TYPE *y, DATA_TYPE *x)
{
  dim3 block(32, 8), grid((N + 31) / 32, (N + 7) / 8);
  kernel_rank_two<<<grid, block>>>(n, A, u1, v1, u2, v2);
  kernel_apply_transposed<<<(N + 255) / 256, 256>>>(n, beta, A, y, x);
}
