#include <algorithm>

#include "corpus/reference.hpp"

// std::upper_bound, and both ends of the interval weighted; where a distance lies on a knot either slope is
// right.
std::string corpus::reference(const Call& call) {
  const long long pairs = call.integer("pairs"), knots = call.integer("knots");
  const double *r = call.before<double>("r"), *f = call.before<double>("f");
  const double* distance = call.before<double>("distance");
  const int* which = call.before<int>("which");
  for (long long p = 0; p < pairs; p += pairs / 50000 + 1) {
    const double d = std::min(std::max(distance[p], r[0]), r[knots - 1]);
    const long long above = std::min<long long>(std::upper_bound(r, r + knots, d) - r, knots - 1);
    const double *table = f + which[p] * knots, width = r[above] - r[above - 1];
    const double left = table[above - 1], right = table[above], scale = std::fabs(left) + std::fabs(right);
    const double phi = (left * (r[above] - d) + right * (d - r[above - 1])) / width;
    std::string wrong = differs("phi", p, call.after<double>("phi")[p], phi, scale, 1e-9);
    if (wrong.empty())
      wrong =
          differs("slope", p, call.after<double>("slope")[p], (right - left) / width, scale / width, 1e-9);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
