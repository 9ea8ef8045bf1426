// Second-order recursive smoothing down each column, forwards and back. Consistent coefficients come from
//   const float e = expf(-1.695f / sigma);  b1 = 2 * e;  b2 = -e * e;  gain = 1 - b1 - b2;
// so that a constant image stays what it is and the recursion decays.
#include "filters.h"

__global__ void smooth_columns(const float* image, float* out, int width, int height, float gain, float b1,
                               float b2) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  image += x;
  out += x;
  float y1 = image[0], y2 = y1;
  for (int y = 0; y < height; ++y) {
    const float now = gain * *image + b1 * y1 + b2 * y2;
    *out = now;
    y2 = y1;
    y1 = now;
    image += width;
    out += width;
  }
  out -= width;
  y1 = y2 = *out;
  for (int y = height - 1; y >= 0; --y) {
    const float now = gain * *out + b1 * y1 + b2 * y2;
    *out = now;
    y2 = y1;
    y1 = now;
    out -= width;
  }
}

// with e = 0.72f:
//   smooth_columns<<<(width + 63) / 64, 64>>>(image, out, width, height, 0.0784f, 1.44f, -0.5184f);
