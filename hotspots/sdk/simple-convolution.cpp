// Convolution of an image with a mask, not separated:
//   out[y][x] = sum over r, c of mask[r][c] * in[y + r][x + c], rounded to the nearest whole number.
// A row of in has pitch elements; in is (height + mask_height - 1) rows.
extern "C" void simple_convolution(int width, int height, int pitch, int mask_width, int mask_height,
                                   const unsigned int* in, const float* mask, int* out) {
#pragma omp parallel for
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float sum = 0.0f;
      for (int r = 0; r < mask_height; ++r) {
        for (int c = 0; c < mask_width; ++c) {
          sum += mask[r * mask_width + c] * static_cast<float>(in[(y + r) * pitch + x + c]);
        }
      }
      out[y * width + x] = static_cast<int>(sum + 0.5f);
    }
  }
}
