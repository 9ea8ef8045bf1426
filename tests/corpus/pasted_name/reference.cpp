#include "corpus/reference.hpp"

// Every so many pairs; the force is minus the derivative of the energy.
std::string corpus::reference(const Call& call) {
  const long long pairs = call.integer("npairs");
  const double beta = call.real("beta");
  const int *first = call.before<int>("first"), *second = call.before<int>("second");
  const float *charge = call.before<float>("charge"), *distance = call.before<float>("distance");
  for (long long p = 0; p < pairs; p += pairs / 100000 + 1) {
    const double r = distance[p], product = double(charge[first[p]]) * charge[second[p]];
    const double energy = product / (r * std::exp(beta * r)),
                 scale = std::fabs(energy) * (1 + std::fabs(beta * r));
    std::string wrong = differs("energy", p, call.after<float>("energy")[p], energy, scale, 3e-6);
    if (wrong.empty())
      wrong = differs("force", p, call.after<float>("force")[p], energy / r + beta * energy,
                      scale / std::fabs(r), 3e-6);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
