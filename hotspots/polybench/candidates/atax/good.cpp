// A is read once: while a row is in the cache, its product with x is known and its share of y can be added.
// Each thread adds into a y of its own.
#include <cstddef>
#include <vector>

extern "C" void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp) {
  for (int j = 0; j < ny; ++j) y[j] = 0.0f;
#pragma omp parallel
  {
    std::vector<float> own(ny);
#pragma omp for
    for (int i = 0; i < nx; ++i) {
      const float* row = A + static_cast<std::size_t>(i) * ny;
      float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
      for (int j = 0; j < ny; ++j) sum += row[j] * x[j];
      tmp[i] = sum;
      float* share = own.data();
#pragma omp simd
      for (int j = 0; j < ny; ++j) share[j] += row[j] * sum;
    }
#pragma omp critical
    for (int j = 0; j < ny; ++j) y[j] += own[j];
  }
}
