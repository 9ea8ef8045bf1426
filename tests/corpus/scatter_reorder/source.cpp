#include <cstdint>

// Brings particles into the order of their cells: particle i goes to slot[i]. slot is a permutation of
// 0..n-1.
void reorder(std::int32_t n, const std::int32_t* slot, const double* px, const double* py,
             const std::int64_t* id, double* px_sorted, double* py_sorted, std::int64_t* id_sorted) {
#pragma omp parallel for
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t to = slot[i];
    px_sorted[to] = px[i];
    py_sorted[to] = py[i];
    id_sorted[to] = id[i];
  }
}
