// conv2d by hand: four output rows at a time, so that a loaded image vector serves up to five stencil rows;
// rows outside the image read from a row of zeros, and only two columns at each side need the guarded loop.
#include <algorithm>
#include <vector>

namespace {

constexpr int lanes = 16;
constexpr int reach = 2;
constexpr int taps = 2 * reach + 1;
constexpr int rows_at_once = 4;

using Vector = float __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));

// Computes `rows` vectors of output, one under the other, at column x; in[0] is the image row `reach` above
// the first.
template <int rows>
inline void column_of_vectors(const float* const* in, const float* weight, float* out, long width, long x) {
  Vector sum[rows] = {};
#pragma GCC unroll 8
  for (int r = 0; r < rows + taps - 1; ++r) {
#pragma GCC unroll 5
    for (int dx = 0; dx < taps; ++dx) {
      const Vector pixels = *reinterpret_cast<const Vector*>(in[r] + x + dx - reach);
#pragma GCC unroll 4
      for (int o = 0; o < rows; ++o) {
        if (r - o >= 0 && r - o < taps) sum[o] += weight[(r - o) * taps + dx] * pixels;
      }
    }
  }
#pragma GCC unroll 4
  for (int o = 0; o < rows; ++o) *reinterpret_cast<Vector*>(out + o * width + x) = sum[o];
}

float guarded(const float* const* in, const float* weight, long width, long x) {
  float sum = 0;
  for (int dy = 0; dy < taps; ++dy) {
    for (int dx = 0; dx < taps; ++dx) {
      const long from = x + dx - reach;
      if (from >= 0 && from < width) sum += weight[dy * taps + dx] * in[dy][from];
    }
  }
  return sum;
}

template <int rows>
void strip(const float* const* in, const float* shared_weight, float* out, long width) {
  float weight[taps * taps];  // a copy the stores to `out` cannot change, so it stays in registers
  std::copy(shared_weight, shared_weight + taps * taps, weight);
  const long inner_end = width - reach;
  const bool wide = inner_end - reach >= lanes;
  if (wide) {
    for (long x = reach; x + lanes <= inner_end; x += lanes)
      column_of_vectors<rows>(in, weight, out, width, x);
    column_of_vectors<rows>(in, weight, out, width, inner_end - lanes);  // may overlap the one before
  }
  const long left = wide ? reach : width;
  const long right = wide ? inner_end : width;
  for (int o = 0; o < rows; ++o) {
    for (long x = 0; x < left; ++x) out[o * width + x] = guarded(in + o, weight, width, x);
    for (long x = right; x < width; ++x) out[o * width + x] = guarded(in + o, weight, width, x);
  }
}

}  // namespace

extern "C" void conv2d(int height, int width, const float* image, const float* weight, float* out) {
  const std::vector<float> zeros(width);
  const int blocks = (height + rows_at_once - 1) / rows_at_once;
#pragma omp parallel for schedule(static) if ((long)height * width > 8000)
  for (int b = 0; b < blocks; ++b) {
    const int y = b * rows_at_once;
    const float* in[rows_at_once + taps - 1];
    for (int r = 0; r < rows_at_once + taps - 1; ++r) {
      const int from = y + r - reach;
      in[r] = from >= 0 && from < height ? image + (long)from * width : zeros.data();
    }
    if (y + rows_at_once <= height) {
      strip<rows_at_once>(in, weight, out + (long)y * width, width);
    } else {
      for (int o = 0; y + o < height; ++o) strip<1>(in + o, weight, out + (long)(y + o) * width, width);
    }
  }
}
