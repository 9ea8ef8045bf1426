// Tables of forces for Lennard-Jones atoms of two sizes: F(r) = 24 e (2 s^12 / r^13 - s^6 / r^7), less its
// value at the cutoff so that it ends there, and level below 0.8 s, where no atoms meet. The seed varies the
// depths e.
#include <algorithm>
#include <cmath>

namespace {

double force(double depth, double size, double r) {
  const double inverse = size / std::max(r, 0.8 * size), sixth = std::pow(inverse, 6);
  return 24 * depth / size * inverse * sixth * (2 * sixth - 1);
}

}  // namespace

extern "C" void md_force_make_potential(long long, long long, long long, long long types, long long bins,
                                        unsigned long long seed, double* table) {
  const double cutoff = 2.5;
  for (long long one = 0; one < types; ++one) {
    for (long long other = 0; other < types; ++other) {
      const long long both = one + other;
      const double depth = 1 + 0.1 * static_cast<double>(seed >> (8 * both) & 255) / 256;
      const double size = 1 - 0.03 * static_cast<double>(both), end = force(depth, size, cutoff);
      for (long long m = 0; m <= bins; ++m) {
        const double r = cutoff * static_cast<double>(m) / static_cast<double>(bins);
        table[(one * types + other) * (bins + 1) + m] = force(depth, size, r) - end;
      }
    }
  }
}
