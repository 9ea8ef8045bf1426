// The components one after the other, as if they had nothing in common: everything is computed three times.
#include <cmath>

namespace {

double image(double d, double box) {
  return d - box * std::rint(d / box);
}

}  // namespace

extern "C" void md_force(int n, double box_x, double box_y, double box_z, double cutoff, int types, int bins,
                         const int* offsets, const int* list, const double* x, const double* y,
                         const double* z, const int* type, const double* table, double* fx, double* fy,
                         double* fz) {
  const double *at[3] = {x, y, z}, box[3] = {box_x, box_y, box_z};
  double* const f[3] = {fx, fy, fz};
  for (int axis = 0; axis < 3; ++axis) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      f[axis][i] = 0.0;
      for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
        int j = list[k];
        double d[3];
        for (int other = 0; other < 3; ++other) d[other] = image(at[other][i] - at[other][j], box[other]);
        double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (r < cutoff) {
          double p = r / cutoff * bins;
          int m = static_cast<int>(p);
          if (m > bins - 1) m = bins - 1;
          int row = (type[i] * types + type[j]) * (bins + 1) + m;
          f[axis][i] += (table[row] + (p - m) * (table[row + 1] - table[row])) * d[axis] / r;
        }
      }
    }
  }
}
