// Two sweeps at once: a band of rows makes those of the first sweep in a buffer of three and uses them up
// while they are in the cache. Grids change places, so that nothing is copied back but after an odd number of
// passes.
#include <algorithm>
#include <utility>
#include <vector>

static const int band = 32;

// A row of a sweep from the three around it; the first and last point stay.
static void sweep_row(int n, const float* above, const float* here, const float* below,
                      float* __restrict__ out) {
  out[0] = here[0];
#pragma omp simd
  for (int j = 1; j < n - 1; ++j) out[j] = 0.2f * (here[j] + here[j - 1] + here[j + 1] + below[j] + above[j]);
  out[n - 1] = here[n - 1];
}

static void sweep_once(int n, const float* from, float* to) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i) {
    const float* here = from + static_cast<long>(i) * n;
    sweep_row(n, here - n, here, here + n, to + static_cast<long>(i) * n);
  }
}

static void sweep_twice(int n, const float* from, float* to) {
#pragma omp parallel for
  for (int first = 1; first < n - 1; first += band) {
    const int end = std::min(first + band, n - 1);
    std::vector<float> rows(3 * static_cast<std::size_t>(n));
    const auto buffer = [&](int i) { return rows.data() + (i % 3) * static_cast<long>(n); };
    const auto fill = [&](int i) {
      const float* here = from + static_cast<long>(i) * n;
      if (i == 0 || i == n - 1) {
        std::copy(here, here + n, buffer(i));
      } else {
        sweep_row(n, here - n, here, here + n, buffer(i));
      }
    };
    fill(first - 1);
    fill(first);
    for (int i = first; i < end; ++i) {
      fill(i + 1);
      sweep_row(n, buffer(i - 1), buffer(i), buffer(i + 1), to + static_cast<long>(i) * n);
    }
  }
}

extern "C" void jacobi_2d(int steps, int n, float* A, float* B) {
  std::copy(A, A + n, B);
  std::copy(A + static_cast<long>(n - 1) * n, A + static_cast<long>(n) * n, B + static_cast<long>(n - 1) * n);
  float* from = A;
  float* to = B;
  for (int t = 0; t < steps; t += 2) {
    if (t + 1 < steps) {
      sweep_twice(n, from, to);
    } else {
      sweep_once(n, from, to);
    }
    std::swap(from, to);
  }
  if (from != A) std::copy(from, from + static_cast<long>(n) * n, A);
}
