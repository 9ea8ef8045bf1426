// Fast Walsh-Hadamard transform in place; n is a power of two. Not normalised: values grow n-fold at most.
static void butterflies(float* data, int n, int step) {
#pragma omp parallel for
  for (int t = 0; t < n / 2; ++t) {
    const int pair = (t / step) * 2 * step + t % step;
    const float a = data[pair], b = data[pair + step];
    data[pair] = a + b;
    data[pair + step] = a - b;
  }
}

void walsh_transform(float* data, int n) {
  for (int step = 1; step < n; step <<= 1) butterflies(data, n, step);
}
