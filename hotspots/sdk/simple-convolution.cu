// Convolution of an image with a mask, not separated:
//   out[y][x] = sum over r, c of mask[r][c] * in[y + r][x + c], rounded to the nearest whole number.
// A row of in has pitch elements; in is (height + mask_height - 1) rows.
__global__ void simple_convolution_kernel(int width, int height, int pitch, int mask_width, int mask_height,
                                          const unsigned int* in, const float* mask, int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float sum = 0.0f;
    for (int r = 0; r < mask_height; ++r) {
      for (int c = 0; c < mask_width; ++c) {
        sum += mask[r * mask_width + c] * in[(y + r) * pitch + x + c];
      }
    }
    out[y * width + x] = (int)(sum + 0.5f);
  }
}

extern "C" void simple_convolution(int width, int height, int pitch, int mask_width, int mask_height,
                                   const unsigned int* in, const float* mask, int* out, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  simple_convolution_kernel<<<grid, block, 0, stream>>>(width, height, pitch, mask_width, mask_height, in, mask, out);
}
