#include <cstdint>

// Brings particles into the order of their cells: particle i goes to slot[i]. slot is a permutation of
// 0..n-1.
__global__ void reorder(int32_t n, const int32_t* slot, const double* px, const double* py, const int64_t* id,
                        double* px_sorted, double* py_sorted, int64_t* id_sorted) {
  const int32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int32_t to = slot[i];
    px_sorted[to] = px[i];
    py_sorted[to] = py[i];
    id_sorted[to] = id[i];
  }
}
