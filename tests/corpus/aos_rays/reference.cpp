#include "corpus/reference.hpp"

namespace {
struct Record {
  double intensity;
  double path;
  int cell;
  unsigned char group;
};
}  // namespace

// Every so many rays; the loss by expm1.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("nrays");
  const Record *before = call.before<Record>("rays"), *after = call.after<Record>("rays");
  const double *sigma = call.before<double>("sigma"), *lost = call.after<double>("lost");
  for (long long i = 0; i < n; i += n / 200000 + 1) {
    const double tau = sigma[before[i].cell * 8LL + before[i].group] * before[i].path;
    const double loss = -before[i].intensity * std::expm1(-tau);
    const double scale = std::fabs(before[i].intensity) * (1 + std::fabs(tau));
    std::string wrong = differs("lost", i, lost[i], loss, scale, 1e-12);
    if (wrong.empty())
      wrong = differs("rays.intensity", i, after[i].intensity, before[i].intensity - loss, scale, 1e-12);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
