// Sum of two vectors: out = a + b.
extern "C" void vector_add(int n, const float* a, const float* b, float* out) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    out[i] = a[i] + b[i];
  }
}
