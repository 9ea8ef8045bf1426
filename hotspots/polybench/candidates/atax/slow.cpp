// A transposed copy of A, so that the second product runs along memory as well: right, but making the copy
// jumps a whole row with every step just as the product did, and writes all of A once more.
#include <cstddef>
#include <vector>

extern "C" void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp) {
  std::vector<float> transposed(static_cast<std::size_t>(nx) * ny);
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) transposed[static_cast<std::size_t>(j) * nx + i] = A[i * ny + j];
  }
#pragma omp parallel for
  for (int i = 0; i < nx; ++i) {
    tmp[i] = 0.0f;
    for (int j = 0; j < ny; ++j) tmp[i] += A[i * ny + j] * x[j];
  }
#pragma omp parallel for
  for (int j = 0; j < ny; ++j) {
    y[j] = 0.0f;
    for (int i = 0; i < nx; ++i) y[j] += transposed[static_cast<std::size_t>(j) * nx + i] * tmp[i];
  }
}
