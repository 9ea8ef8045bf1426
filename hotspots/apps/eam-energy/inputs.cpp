// Splines of two kinds of atoms in an fcc alloy whose cubic cells have the edge 1: densities that fall
// exponentially and smoothly reach 0 at the cutoff, embedding energies that go with the root of the density.
// The seed varies their strengths.
#include <algorithm>
#include <cmath>

namespace {

// The interval's cubic from values and slopes (times its width) at both ends.
float4 cubic(double left, double slope_left, double right, double slope_right) {
  const double rise = right - left;
  return {static_cast<float>(slope_left + slope_right - 2 * rise),
          static_cast<float>(3 * rise - 2 * slope_left - slope_right), static_cast<float>(slope_left),
          static_cast<float>(left)};
}

template <class Value, class Slope>
void fill(float4* spline, long long intervals, double width, const Value& value, const Slope& slope) {
  for (long long m = 0; m < intervals; ++m) {
    const double left = width * static_cast<double>(m), right = width * static_cast<double>(m + 1);
    spline[m] = cubic(value(left), width * slope(left), value(right), width * slope(right));
  }
}

// 1 up to `begin`, 0 from `end` on, smooth in between.
double fade(double r, double begin, double end) {
  const double t = std::clamp((r - begin) / (end - begin), 0.0, 1.0);
  return (1 - t) * (1 - t) * (1 + 2 * t);
}

double fade_slope(double r, double begin, double end) {
  const double t = std::clamp((r - begin) / (end - begin), 0.0, 1.0);
  return -6 * t * (1 - t) / (end - begin);
}

}  // namespace

extern "C" void eam_energy_make_splines(long long, long long, long long, long long nr, long long nrho,
                                        unsigned long long seed, float4* density, float4* embedding) {
  const double nearest = std::sqrt(0.5), cutoff = 1.62, begin = 1.5, highest = 40;
  for (int type = 0; type < 2; ++type) {
    const double strength =
        (type == 0 ? 1.0 : 1.1) + 0.1 * static_cast<double>(seed >> (8 * type) & 255) / 256;
    const double decay = (type == 0 ? 3.5 : 3.2) / nearest, root = type == 0 ? 1.2 : 1.3;
    const auto plain = [&](double r) { return strength * std::exp(-decay * (r - nearest)); };
    fill(
        density + type * nr, nr, cutoff / static_cast<double>(nr),
        [&](double r) { return plain(r) * fade(r, begin, cutoff); },
        [&](double r) { return plain(r) * (fade_slope(r, begin, cutoff) - decay * fade(r, begin, cutoff)); });
    // The slope at 0 is infinite, and never met.
    fill(
        embedding + type * nrho, nrho, highest / static_cast<double>(nrho),
        [&](double rho) { return -root * strength * std::sqrt(rho); },
        [&](double rho) { return -0.5 * root * strength / std::sqrt(std::max(rho, 0.01)); });
  }
}
