#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long nx = call.integer("nx"), nz = call.integer("nz");
  const double factor = call.real("dtdx2");
  const Numbers &vel = call.was("vel"), &now = call.was("now"), &past = call.was("past");
  // The last element that is written ends the search: whoever reads the indices may end the buffer there.
  for (long long at = 0; at < (nz - 2) * nx - 2; at += stride(nx * nz)) {
    const long long x = at % nx, z = at / nx;
    if (x < 2 || z < 2 || x >= nx - 2 || z >= nz - 2) {
      if (!call.untouched("past", at)) return "the halo of past was written";
      continue;
    }
    double curvature = -5 * now[at], size = 5 * std::fabs(now[at]);
    for (const long long by : {1LL, nx}) {
      curvature +=
          1.3333333 * (now[at + by] + now[at - by]) - 0.0833333 * (now[at + 2 * by] + now[at - 2 * by]);
      size += 2 * (std::fabs(now[at + by]) + std::fabs(now[at - by]) + std::fabs(now[at + 2 * by]) +
                   std::fabs(now[at - 2 * by]));
    }
    const double push = vel[at] * vel[at] * factor;
    const std::string why =
        differs("past", at, call.now("past")[at], push * curvature - past[at] + 2 * now[at],
                std::fabs(push) * size + std::fabs(past[at]) + 2 * std::fabs(now[at]), 1e-6);
    if (!why.empty()) return why;
  }
  return {};
}
