// Walsh-Hadamard transform of n values, n a power of two, in natural order, in place and not scaled:
// for distance = 1, 2, 4, ..., n / 2 each pair a, b so far apart becomes a + b, a - b. Values grow up to
// n-fold.
extern "C" void fast_walsh(int n, float* values) {
  for (int distance = 1; distance < n; distance *= 2) {
#pragma omp parallel for
    for (int pair = 0; pair < n / 2; ++pair) {
      int left = pair / distance * 2 * distance + pair % distance;
      float a = values[left];
      float b = values[left + distance];
      values[left] = a + b;
      values[left + distance] = a - b;
    }
  }
}
