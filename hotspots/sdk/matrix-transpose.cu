// Transpose: out[j][i] = in[i][j]. in is rows x cols, out is cols x rows, both row-major.
__global__ void matrix_transpose_kernel(int rows, int cols, const float* in, float* out) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < cols) out[j * rows + i] = in[i * cols + j];
}

extern "C" void matrix_transpose(int rows, int cols, const float* in, float* out, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  matrix_transpose_kernel<<<grid, block, 0, stream>>>(rows, cols, in, out);
}
