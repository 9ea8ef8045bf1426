#include "corpus/reference.hpp"

// As gradient of the energy, every so many particles, backwards through the list.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n");
  const double rc = call.real("rc"), spring = 25;
  const double* pos = call.before<double>("pos");
  const int *first = call.before<int>("first"), *list = call.before<int>("list");
  for (long long i = 0; i < n; i += n / 10000 + 1) {
    double force[3] = {}, energy = 0, scale = 1;
    for (long long k = first[i + 1] - 1LL; k >= first[i]; --k) {
      double d[3], r2 = 0;
      for (int c = 0; c < 3; ++c) {
        d[c] = pos[3 * i + c] - pos[3LL * list[k] + c];
        r2 += d[c] * d[c];
      }
      const double gap = rc - std::sqrt(r2);
      if (gap <= 0) continue;
      for (int c = 0; c < 3; ++c) force[c] += spring / rc * gap * d[c] / std::sqrt(r2);
      energy += spring / (4 * rc) * gap * gap;
      scale += spring;
    }
    std::string wrong =
        differs("energy", i, call.after<double>("energy")[i], energy, scale * (1 + rc), 1e-12);
    for (int c = 0; c < 3 && wrong.empty(); ++c)
      wrong = differs("force", 3 * i + c, call.after<double>("force")[3 * i + c], force[c], scale, 1e-11);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
