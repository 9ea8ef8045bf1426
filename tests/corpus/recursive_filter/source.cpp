// Second-order recursive smoothing down each column, forwards and back. Consistent coefficients come from
//   const float e = expf(-1.695f / sigma);  b1 = 2 * e;  b2 = -e * e;  gain = 1 - b1 - b2;
// so that a constant image stays what it is and the recursion decays.
#include "filters.h"

void smooth_columns(const float* image, float* out, int width, int height, float gain, float b1, float b2) {
#pragma omp parallel for
  for (int x = 0; x < width; ++x) {
    float y1 = image[x], y2 = y1;
    for (int y = 0; y < height; ++y) {
      const float now = gain * image[y * width + x] + b1 * y1 + b2 * y2;
      out[y * width + x] = now;
      y2 = y1;
      y1 = now;
    }
    y1 = y2 = out[(height - 1) * width + x];
    for (int y = height - 1; y >= 0; --y) {
      const float now = gain * out[y * width + x] + b1 * y1 + b2 * y2;
      out[y * width + x] = now;
      y2 = y1;
      y1 = now;
    }
  }
}

// called as, with e = 0.72f:
//   smooth_columns(image, out, width, height, 0.0784f, 1.44f, -0.5184f);
