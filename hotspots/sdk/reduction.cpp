// Sum of n unsigned numbers modulo 2^32, in two steps: 256 of them into each element of partial, then those.
// Any order gives the same bits.
extern "C" void reduction(int n, const unsigned int* in, unsigned int* partial, unsigned int* out) {
  int blocks = (n + 255) / 256;
#pragma omp parallel for
  for (int b = 0; b < blocks; ++b) {
    partial[b] = 0;
    for (int i = 256 * b; i < 256 * (b + 1) && i < n; ++i) {
      partial[b] += in[i];
    }
  }
  out[0] = 0;
  for (int b = 0; b < blocks; ++b) {
    out[0] += partial[b];
  }
}
