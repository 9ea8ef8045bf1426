// The two products of a step of the biconjugate gradient method: q = A p and s = A^T r.
// A is nx x ny, row-major; p and s have ny elements, q and r have nx.
extern "C" void bicg(int nx, int ny, const float* A, const float* p, const float* r, float* q, float* s) {
#pragma omp parallel for
  for (int j = 0; j < ny; ++j) {
    s[j] = 0.0f;
    for (int i = 0; i < nx; ++i) {
      s[j] += A[i * ny + j] * r[i];
    }
  }
#pragma omp parallel for
  for (int i = 0; i < nx; ++i) {
    q[i] = 0.0f;
    for (int j = 0; j < ny; ++j) {
      q[i] += A[i * ny + j] * p[j];
    }
  }
}
