// Forces between neighbouring atoms of molecular dynamics, by tables:
//   f_i = sum over neighbours j with r_ij < cutoff of F(r_ij) (r_i - r_j) / r_ij,
// F interpolated linearly between bins + 1 values from 0 to the cutoff, a row of the table for each pair of
// types. The neighbours of atom i are list[offsets[i]] to list[offsets[i + 1] - 1], each pair is listed
// twice; the box is periodic.
#include <cmath>

extern "C" void md_force(int n, double box_x, double box_y, double box_z, double cutoff, int types, int bins,
                         const int* offsets, const int* list, const double* x, const double* y,
                         const double* z, const int* type, const double* table, double* fx, double* fy,
                         double* fz) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    fx[i] = 0.0;
    fy[i] = 0.0;
    fz[i] = 0.0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      int j = list[k];
      double dx = x[i] - x[j];
      double dy = y[i] - y[j];
      double dz = z[i] - z[j];
      dx -= box_x * std::rint(dx / box_x);
      dy -= box_y * std::rint(dy / box_y);
      dz -= box_z * std::rint(dz / box_z);
      double r = std::sqrt(dx * dx + dy * dy + dz * dz);
      if (r < cutoff) {
        double p = r / cutoff * bins;
        int m = static_cast<int>(p);
        if (m > bins - 1) m = bins - 1;
        int at = (type[i] * types + type[j]) * (bins + 1) + m;
        double force = table[at] + (p - m) * (table[at + 1] - table[at]);
        fx[i] += force * dx / r;
        fy[i] += force * dy / r;
        fz[i] += force * dz / r;
      }
    }
  }
}
