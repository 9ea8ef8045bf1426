#include <algorithm>
#include <vector>

#include "corpus/reference.hpp"

namespace {

// The fields on a window that keeps `steps` cells of distance from what is compared, so that what enters
// from its edges never arrives there.
struct Window {
  long long i0, i1, j0, j1;
  std::vector<double> ex, ey, hz;
  long long at(long long i, long long j) const { return (i - i0) * (j1 - j0) + j - j0; }
};

// The largest value that took part; rounding is measured by it.
double load(Window& w, const corpus::Call& call, long long ny) {
  double largest = 0;
  for (long long i = w.i0; i < w.i1; ++i)
    for (long long j = w.j0; j < w.j1; ++j) {
      w.ex.push_back(call.before<float>("ex")[i * ny + j]);
      w.ey.push_back(call.before<float>("ey")[i * ny + j]);
      w.hz.push_back(call.before<float>("hz")[i * ny + j]);
      largest = std::max({largest, std::fabs(w.ex.back()), std::fabs(w.ey.back()), std::fabs(w.hz.back())});
    }
  for (long long t = 0; t < call.integer("tmax"); ++t)
    largest = std::max(largest, std::fabs(double(call.before<float>("source")[t])));
  return largest;
}

void step(Window& w, double source) {
  for (long long i = w.i1 - 1; i >= w.i0; --i)
    for (long long j = w.j1 - 1; j >= w.j0; --j) {
      if (i == 0) w.ey[w.at(i, j)] = source;
      if (i > w.i0) w.ey[w.at(i, j)] -= 0.5 * (w.hz[w.at(i, j)] - w.hz[w.at(i - 1, j)]);
      if (j > w.j0) w.ex[w.at(i, j)] -= 0.5 * (w.hz[w.at(i, j)] - w.hz[w.at(i, j - 1)]);
    }
  for (long long i = w.i0; i + 1 < w.i1; ++i)
    for (long long j = w.j0; j + 1 < w.j1; ++j)
      w.hz[w.at(i, j)] -=
          double(0.7f) * (w.ex[w.at(i, j + 1)] - w.ex[w.at(i, j)] + w.ey[w.at(i + 1, j)] - w.ey[w.at(i, j)]);
}

}  // namespace

// Around four places: a corner, two edges and the middle.
std::string corpus::reference(const Call& call) {
  const long long steps = call.integer("tmax"), nx = call.integer("nx"), ny = call.integer("ny");
  const long long places[4][2] = {{0, 0}, {nx / 2, ny / 2}, {nx - 1, ny / 3}, {nx / 3, ny - 1}};
  for (const auto& place : places) {
    const long long reach = steps + 3;
    Window w{std::max(0LL, place[0] - reach),
             std::min(nx, place[0] + reach),
             std::max(0LL, place[1] - reach),
             std::min(ny, place[1] + reach),
             {},
             {},
             {}};
    const double scale = load(w, call, ny);
    for (long long t = 0; t < steps; ++t) step(w, call.before<float>("source")[t]);
    for (long long i = std::max(0LL, place[0] - 2); i < std::min(nx, place[0] + 2); ++i)
      for (long long j = std::max(0LL, place[1] - 2); j < std::min(ny, place[1] + 2); ++j) {
        const double tolerance = 1e-6 * double(steps + 10);
        const long long c = i * ny + j;
        std::string wrong = differs("hz", c, call.after<float>("hz")[c], w.hz[w.at(i, j)], scale, tolerance);
        if (wrong.empty())
          wrong = differs("ex", c, call.after<float>("ex")[c], w.ex[w.at(i, j)], scale, tolerance);
        if (wrong.empty())
          wrong = differs("ey", c, call.after<float>("ey")[c], w.ey[w.at(i, j)], scale, tolerance);
        if (!wrong.empty()) return wrong;
      }
  }
  return {};
}
