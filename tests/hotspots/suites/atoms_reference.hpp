// Atoms anywhere in a periodic box, and sums over all pairs of them in long double, without lists.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "hotspots/numbers.hpp"
#include "hotspots/suites/float4.hpp"

namespace noctune {

using Vector = std::array<long double, 3>;

struct Atoms {
  int n = 0;
  std::array<double, 3> box;
  std::array<std::vector<double>, 3> at;  // numbers that single precision holds as well
  std::vector<int> type;                  // 0 or 1

  Atoms(int count, std::array<double, 3> edges) : n(count), box(edges) {
    for (unsigned int axis = 0; axis < 3; ++axis) {
      const auto places = uniform<float>(n, axis + 1, 0, edges[axis]);
      at[axis].assign(places.begin(), places.end());
    }
    const auto kinds = uniform(n, 4, 0, 2);
    type.assign(kinds.begin(), kinds.end());
  }

  // From the nearest image of j to i.
  Vector between(int i, int j) const {
    Vector shortest;
    for (int axis = 0; axis < 3; ++axis) {
      const long double d = static_cast<long double>(at[axis][i]) - at[axis][j];
      shortest[axis] = d;
      for (long double other : {d - box[axis], d + box[axis]})
        if (std::fabs(other) < std::fabs(shortest[axis])) shortest[axis] = other;
    }
    return shortest;
  }

  // Calls work(i, j, r_i - r_j, its length) for all i != j that are closer than `distance`, j by j.
  template <class Work>
  void pairs(double distance, const Work& work) const {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const Vector d = between(i, j);
        const long double r = std::hypot(d[0], d[1], d[2]);
        if (i != j && r < distance) work(i, j, d, r);
      }
    }
  }

  std::vector<std::vector<int>> neighbours(double reach) const {
    std::vector<std::vector<int>> lists(n);
    pairs(reach, [&](int i, int j, const Vector&, long double) { lists[i].push_back(j); });
    return lists;
  }
};

// A function for each type as cubics between equidistant places, by its values and slopes there.
struct Cubics {
  int intervals;
  double width;
  std::vector<long double> values, slopes;  // intervals + 1 a type

  // f(type, place) gives the value, df(type, place) the slope.
  template <class Value, class Slope>
  Cubics(int count, double end, const Value& f, const Slope& df) : intervals(count), width(end / count) {
    for (int type = 0; type < 2; ++type) {
      for (int m = 0; m <= intervals; ++m) {
        values.push_back(f(type, width * m));
        slopes.push_back(df(type, width * m));
      }
    }
  }

  std::vector<float4> coefficients() const {
    std::vector<float4> all;
    for (int m = 0; m < 2 * (intervals + 1); ++m) {
      if (m % (intervals + 1) == intervals) continue;
      const long double rise = values[m + 1] - values[m], left = width * slopes[m],
                        right = width * slopes[m + 1];
      all.push_back({static_cast<float>(left + right - 2 * rise),
                     static_cast<float>(3 * rise - 2 * left - right), static_cast<float>(left),
                     static_cast<float>(values[m])});
    }
    return all;
  }

  // By Hermite's polynomials; the last cubic holds beyond the end.
  long double value(int type, long double place) const {
    const auto [m, t] = interval(type, place);
    const long double s = 1 - t;
    return values[m] * s * s * (1 + 2 * t) + values[m + 1] * t * t * (3 - 2 * t) +
           width * (slopes[m] * t * s * s - slopes[m + 1] * t * t * s);
  }
  long double slope(int type, long double place) const {
    const auto [m, t] = interval(type, place);
    return 6 * t * (1 - t) * (values[m + 1] - values[m]) / width + slopes[m] * (1 - t) * (1 - 3 * t) +
           slopes[m + 1] * t * (3 * t - 2);
  }

 private:
  std::pair<int, long double> interval(int type, long double place) const {
    const int m = std::min(static_cast<int>(std::floor(place / width)), intervals - 1);
    return {type * (intervals + 1) + m, place / width - m};
  }
};

}  // namespace noctune
