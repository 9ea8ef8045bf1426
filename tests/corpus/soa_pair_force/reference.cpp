#include "corpus/reference.hpp"

// The derivative of 4 e (s12/r12 - s6/r6), every so many atoms, backwards through the list.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("atom.Nlocal"), most = call.integer("maxneighs");
  const double cut = call.real("cutforcesq"), s6 = call.real("sigma6"), e = call.real("epsilon");
  const double* position[3] = {call.before<double>("atom.x"), call.before<double>("atom.y"),
                               call.before<double>("atom.z")};
  const double* got[3] = {call.after<double>("atom.fx"), call.after<double>("atom.fy"),
                          call.after<double>("atom.fz")};
  const int *list = call.before<int>("neighbors"), *count = call.before<int>("numneigh");
  for (long long i = 0; i < n; i += n / 5000 + 1) {
    double want[3] = {}, scale = 1;
    for (long long k = count[i] - 1; k >= 0; --k) {
      double d[3], r2 = 0;
      for (int c = 0; c < 3; ++c) {
        d[c] = position[c][i] - position[c][list[i * most + k]];
        r2 += d[c] * d[c];
      }
      if (r2 >= cut) continue;
      const double repulsion = 48 * e * s6 * s6 / std::pow(r2, 7);
      const double attraction = 24 * e * s6 / std::pow(r2, 4);
      for (int c = 0; c < 3; ++c) want[c] += d[c] * (repulsion - attraction);
      scale += std::sqrt(r2) * (std::fabs(repulsion) + std::fabs(attraction));
    }
    for (int c = 0; c < 3; ++c) {
      std::string wrong = differs("atom.f", i, got[c][i], want[c], scale, 1e-11);
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}
