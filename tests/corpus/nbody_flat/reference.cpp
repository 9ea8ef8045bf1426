#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  static const char* const position[3] = {"px", "py", "pz"};
  static const char* const velocity[3] = {"vx", "vy", "vz"};
  const long long n = call.integer("n");
  const double dt = call.real("dt"), eps2 = call.real("eps2");
  const Numbers& mass = call.was("mass");
  const double tolerance = 1e-6 * (4 + std::sqrt(static_cast<double>(n)) / 8);
  for (long long i = 0; i < n; i += stride(n, 200)) {
    double pull[3] = {}, scale[3] = {};
    for (long long j = n - 1; j >= 0; --j) {
      double d[3], r2 = eps2;
      for (int k = 0; k < 3; ++k) {
        d[k] = call.was(position[k])[j] - call.was(position[k])[i];
        r2 += d[k] * d[k];
      }
      const double strength = mass[j] / (r2 * std::sqrt(r2));
      for (int k = 0; k < 3; ++k) pull[k] += strength * d[k], scale[k] += std::fabs(strength * d[k]);
    }
    for (int k = 0; k < 3; ++k) {
      const double start = call.was(velocity[k])[i];
      const std::string why = differs(velocity[k], i, call.now(velocity[k])[i], start + dt * pull[k],
                                      std::fabs(start) + std::fabs(dt) * scale[k], tolerance);
      if (!why.empty()) return why;
    }
  }
  return {};
}
