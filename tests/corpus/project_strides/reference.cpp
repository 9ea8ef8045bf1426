#include "corpus/reference.hpp"

#ifndef NY
#define NY 900
#endif

std::string corpus::reference(const Call& call) {
  const long long nx = call.integer("nx"), ny = call.integer("ny"), pitch = NY;
  const Numbers &samples = call.was("samples"), &basis = call.was("basis");
  const double tolerance = 1e-7 * (8 + 2 * std::sqrt(static_cast<double>(ny)));
  if (ny > pitch) return "ny is more than the stride NY";
  for (long long i = 0; i < nx; i += stride(nx, 400)) {
    double dot = 0, scale = 0, square = 0;
    for (long long j = ny - 1; j >= 0; --j) {
      const double sample = samples[i * pitch + j];
      dot += sample * basis[j], scale += std::fabs(sample * basis[j]), square += sample * sample;
    }
    std::string why = differs("coef", i, call.now("coef")[i], dot, scale, tolerance);
    if (why.empty())
      why = differs("energy", i, call.now("energy")[i], square - dot * dot,
                    square + 2 * std::fabs(dot) * scale, tolerance);
    if (!why.empty()) return why;
  }
  return {};
}
