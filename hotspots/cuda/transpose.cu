// Transpose: out[j][i] = in[i][j]. in is rows x cols, out is cols x rows, both row-major.
__global__ void transpose_kernel(int rows, int cols, const float* in, float* out) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < cols) out[j * rows + i] = in[i * cols + j];
}

extern "C" void transpose(int rows, int cols, const float* in, float* out, mep_stream_t stream) {
  dim3 block(16, 16);
  dim3 grid((cols + 15) / 16, (rows + 15) / 16);
  transpose_kernel<<<grid, block, 0, stream>>>(rows, cols, in, out);
}
