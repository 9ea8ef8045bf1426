// Sums in registers, quotients by the box and the cutoff turned into products, one root and one division a
// pair, and what lies beyond the cutoff is computed and dropped, so that several neighbours go at a time.
#include <cmath>

extern "C" void md_force(int n, double box_x, double box_y, double box_z, double cutoff, int types, int bins,
                         const int* offsets, const int* list, const double* x, const double* y,
                         const double* z, const int* type, const double* table, double* fx, double* fy,
                         double* fz) {
  const double per_x = 1.0 / box_x, per_y = 1.0 / box_y, per_z = 1.0 / box_z, per_bin = bins / cutoff;
  const double cutoff_squared = cutoff * cutoff;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    const double own_x = x[i], own_y = y[i], own_z = z[i];
    const double* rows = table + type[i] * types * (bins + 1);
    double sum_x = 0.0, sum_y = 0.0, sum_z = 0.0;
#pragma omp simd reduction(+ : sum_x, sum_y, sum_z)
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      const int j = list[k];
      double dx = own_x - x[j], dy = own_y - y[j], dz = own_z - z[j];
      dx -= box_x * std::rint(dx * per_x);
      dy -= box_y * std::rint(dy * per_y);
      dz -= box_z * std::rint(dz * per_z);
      const double square = dx * dx + dy * dy + dz * dz, r = std::sqrt(square), p = r * per_bin;
      const int place = static_cast<int>(p), m = place < bins - 1 ? place : bins - 1;
      const double* row = rows + type[j] * (bins + 1) + m;
      const double force = row[0] + (p - m) * (row[1] - row[0]);
      const double share = square < cutoff_squared ? force / r : 0.0;
      sum_x += share * dx;
      sum_y += share * dy;
      sum_z += share * dz;
    }
    fx[i] = sum_x;
    fy[i] = sum_y;
    fz[i] = sum_z;
  }
}
