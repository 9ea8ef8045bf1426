// Pair potentials tabulated on a radial grid that is not uniform: r[0] < r[1] < ... < r[knots - 1]; table t
// holds its values at f[t * knots] .. f[t * knots + knots - 1]. Distances outside of the grid take its ends.
__device__ int find_interval(const double* r, int knots, double at) {
  int low = 0, high = knots - 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (r[middle] > at)
      high = middle;
    else
      low = middle;
  }
  return low;
}

__global__ void lookup_pairs(long pairs, int knots, int tables, const double* r, const double* f,
                             const double* distance, const int* which, double* phi, double* slope) {
  const long p = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  double d = distance[p];
  if (d < r[0]) d = r[0];
  if (d > r[knots - 1]) d = r[knots - 1];
  const int k = find_interval(r, knots, d);
  const double* table = f + (long)which[p] * knots;
  const double rise = (table[k + 1] - table[k]) / (r[k + 1] - r[k]);
  phi[p] = table[k] + rise * (d - r[k]);
  slope[p] = rise;
}
