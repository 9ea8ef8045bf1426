#include "corpus/reference.hpp"

// Every so many particles, by the slope.
std::string corpus::reference(const Call& call) {
  const long long np = call.integer("np");
  const int* cell = call.before<int>("cell");
  const float *weight = call.before<float>("weight"), *field = call.before<float>("field");
  for (long long p = 0; p < np; p += np / 200000 + 1) {
    const double left = field[cell[p]], right = field[cell[p] + 1];
    const double scale = (1 + std::fabs(weight[p])) * (std::fabs(left) + std::fabs(right));
    std::string wrong = differs("at_particle", p, call.after<float>("at_particle")[p],
                                left + weight[p] * (right - left), scale, 1e-6);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
