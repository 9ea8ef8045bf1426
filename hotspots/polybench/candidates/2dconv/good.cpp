// The filter of the inside only, each row through pointers that do not overlap, so that a row is one loop of
// vectors.
extern "C" void conv2d(int ni, int nj, const float* A, float* B) {
#pragma omp parallel for
  for (int i = 1; i < ni - 1; ++i) {
    const float* __restrict__ above = A + static_cast<long>(i - 1) * nj;
    const float* __restrict__ here = above + nj;
    const float* __restrict__ below = here + nj;
    float* __restrict__ out = B + static_cast<long>(i) * nj;
#pragma omp simd
    for (int j = 1; j < nj - 1; ++j) {
      out[j] = 0.12f * above[j - 1] + 0.17f * above[j] - 0.06f * above[j + 1] + 0.21f * here[j - 1] +
               0.33f * here[j] + 0.09f * here[j + 1] - 0.04f * below[j - 1] + 0.11f * below[j] +
               0.07f * below[j + 1];
    }
  }
}
