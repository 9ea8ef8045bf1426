// Image filter with a 5 x 5 stencil and zeros outside the image:
//   out(y, x) = sum over -2 <= dy, dx <= 2 of weight(dy + 2, dx + 2) * image(y + dy, x + dx).
// image and out are height x width, weight is 5 x 5, row-major.
extern "C" void conv2d(int height, int width, const float* image, const float* weight, float* out) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float sum = 0.0f;
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
          if (y + dy >= 0 && y + dy < height && x + dx >= 0 && x + dx < width) {
            sum += weight[(dy + 2) * 5 + dx + 2] * image[(y + dy) * width + x + dx];
          }
        }
      }
      out[y * width + x] = sum;
    }
  }
}
