// y = A^T (A x), row sweep then column sweep.
static void rows(int nx, int ny, const float* A, const float* x, float* tmp) {
#pragma omp parallel for
  for (int i = 0; i < nx; i++) {
    float sum = 0.0f;
    for (int j = 0; j < ny; j++) sum += A[i * ny + j] * x[j];
    tmp[i] = sum;
  }
}

static void columns(int nx, int ny, const float* A, const float* tmp, float* y) {
#pragma omp parallel for
  for (int j = 0; j < ny; j++) {
    float sum = 0.0f;
    for (int i = 0; i < nx; i++) sum += A[i * ny + j] * tmp[i];
    y[j] = sum;
  }
}

void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp) {
  rows(nx, ny, A, x, tmp);
  columns(nx, ny, A, tmp, y);
}
