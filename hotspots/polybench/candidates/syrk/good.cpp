// Rows against rows, both read along memory, so each element is a dot product in vector registers.
extern "C" void syrk(int ni, int nj, float alpha, float beta, const float* A, float* C) {
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    const float* a = A + i * nj;
    for (int j = 0; j < ni; ++j) {
      const float* b = A + j * nj;
      float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
      for (int k = 0; k < nj; ++k) sum += a[k] * b[k];
      C[i * ni + j] = beta * C[i * ni + j] + alpha * sum;
    }
  }
}
