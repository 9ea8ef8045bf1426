#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long faces = call.integer("ncell") - 1;
  const Numbers &rho = call.was("rho"), &prs = call.was("prs"), &mom = call.was("mom");
  const auto speed = [&](long long i) {
    return std::fabs(mom[i]) / rho[i] + std::sqrt(1.4 * prs[i]) / std::sqrt(rho[i]);
  };
  for (long long i = 0; i < faces; i += stride(faces)) {
    const double left = speed(i), right = speed(i + 1), fastest = left > right ? left : right;
    const double want = (mom[i] + mom[i + 1] + fastest * (rho[i] - rho[i + 1])) / 2;
    const double scale = std::fabs(mom[i]) + std::fabs(mom[i + 1]) + fastest * (rho[i] + rho[i + 1]);
    const std::string why =
        differs("flux", i, call.now("flux")[i], want, scale, 16 * call.now("flux").epsilon());
    if (!why.empty()) return why;
  }
  return {};
}
