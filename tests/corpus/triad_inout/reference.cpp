#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n");
  const double dt = call.real("dt");
  const Numbers &force = call.was("force"), &inv_mass = call.was("inv_mass"), &vel = call.was("vel");
  for (long long i = n - 1; i >= 0; i -= stride(n)) {
    const double kick = force[i] * dt * inv_mass[i];
    const std::string why =
        differs("vel", i, call.now("vel")[i], kick + vel[i], std::fabs(kick) + std::fabs(vel[i]), 1e-14);
    if (!why.empty()) return why;
  }
  return {};
}
