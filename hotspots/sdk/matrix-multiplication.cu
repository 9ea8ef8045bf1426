// Matrix product: C = A * B.
// A is rows x inner, B is inner x cols, C is rows x cols, all row-major.
__global__ void matrix_multiplication_kernel(int rows, int cols, int inner, const float* A, const float* B, float* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < cols) {
    float sum = 0.0f;
    for (int k = 0; k < inner; ++k) {
      sum += A[i * inner + k] * B[k * cols + j];
    }
    C[i * cols + j] = sum;
  }
}

extern "C" void matrix_multiplication(int rows, int cols, int inner, const float* A, const float* B, float* C,
                                      mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  matrix_multiplication_kernel<<<grid, block, 0, stream>>>(rows, cols, inner, A, B, C);
}
