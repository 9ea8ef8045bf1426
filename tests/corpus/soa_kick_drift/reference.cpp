#include "corpus/reference.hpp"

// One component after the other, every so many particles.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n");
  const double dt = call.real("dt");
  const char* names[3][3] = {{"p.x", "p.vx", "p.fx"}, {"p.y", "p.vy", "p.fy"}, {"p.z", "p.vz", "p.fz"}};
  const float* mass = call.before<float>("p.mass");
  for (long long i = 0; i < n; i += n / 50000 + 1) {
    double squares = 0, scale = 0;
    for (const auto& name : names) {
      const double kick = dt * call.before<float>(name[2])[i] / mass[i];
      const double v0 = call.before<float>(name[1])[i], x0 = call.before<float>(name[0])[i];
      const double v = v0 + kick, size = std::fabs(v0) + std::fabs(kick);
      std::string wrong = differs(name[1], i, call.after<float>(name[1])[i], v, size, 2e-6);
      if (wrong.empty())
        wrong = differs(name[0], i, call.after<float>(name[0])[i], x0 + dt * v,
                        std::fabs(x0) + std::fabs(dt) * size, 2e-6);
      if (!wrong.empty()) return wrong;
      squares += v * v;
      scale += size * size;
    }
    std::string wrong = differs("ekin", i, call.after<float>("ekin")[i], mass[i] * squares / 2,
                                std::fabs(mass[i]) * scale, 4e-6);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
