#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long nx = call.integer("nx"), ny = call.integer("ny"), nz = call.integer("nz");
  const double c0 = call.real("c0"), c1 = call.real("c1");
  const Numbers& old = call.was("t_old");
  const long long step[3] = {1, nx, nx * ny};
  // The last element that is written ends the search: whoever reads the indices may end the buffer there.
  for (long long at = 0; at < nx * (ny * (nz - 1) - 1) - 1; at += stride(nx * ny * nz)) {
    const long long i = at % nx, j = at / nx % ny, k = at / (nx * ny);
    if (i == 0 || j == 0 || k == 0 || i == nx - 1 || j == ny - 1 || k == nz - 1) {
      if (!call.untouched("t_new", at)) return "the boundary of t_new was written";
      continue;
    }
    double around = 0, scale = std::fabs(c0 * old[at]);
    for (const long long by : step) {
      around += old[at + by] + old[at - by];
      scale += std::fabs(c1) * (std::fabs(old[at + by]) + std::fabs(old[at - by]));
    }
    const std::string why =
        differs("t_new", at, call.now("t_new")[at], c0 * old[at] + c1 * around, scale, 1e-6);
    if (!why.empty()) return why;
  }
  return {};
}
