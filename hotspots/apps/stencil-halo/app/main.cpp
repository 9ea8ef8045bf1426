// Heat in a layer between two cold walls, periodic in the other directions, in explicit steps of fourth
// order. Size: the number of points along an edge, at least 4.
#include <algorithm>
#include <cmath>

#include "kernels.hpp"
#include "program.hpp"

namespace {

constexpr double c[3] = {0.125, 0.0625, 0.09375};
const double pi = std::acos(-1.0);

// A wave that each step multiplies by `factor` and changes in no other way: the grid's own solution.
struct Mode {
  int x, y, z;  // whole waves along x and y, half waves from wall to wall along z
  double amplitude, phase;

  // By how much the step multiplies a wave of angle a from point to point, less one.
  static double change(double a) { return (32 * std::cos(a) - 2 * std::cos(2 * a) - 30) / 12; }
  double factor(int n) const {
    return 1 + c[0] * change(2 * pi * x / n) + c[1] * change(2 * pi * y / n) + c[2] * change(pi * z / n);
  }
};

const Mode modes[] = {{0, 0, 1, 1.0, 0}, {1, 2, 3, 0.5, 0.7}, {2, 1, 2, 0.25, 1.9}};

// The modes' values on the whole domain after so many steps, x the fastest direction.
std::vector<double> solution(int n, int steps) {
  std::vector<double> u(static_cast<std::size_t>(n) * n * n), x(n), y(n), z(n);
  for (const Mode& mode : modes) {
    const double amplitude = mode.amplitude * std::pow(mode.factor(n), steps);
    for (int i = 0; i < n; ++i) {
      x[i] = amplitude * std::cos(2 * pi * mode.x * i / n + mode.phase);
      y[i] = std::cos(2 * pi * mode.y * i / n + 2 * mode.phase);
      z[i] = std::sin(pi * mode.z * (i + 0.5) / n);
    }
    std::size_t at = 0;
    for (double zk : z) {
      for (double yj : y) {
        for (double xi : x) u[at++] += xi * yj * zk;
      }
    }
  }
  return u;
}

// Calls work(number of the point in the domain, number of the point in the block's memory).
template <class Work>
void for_points(int n, int number, const Block& block, const Work& work) {
  const int x = number % 2 == 0 ? 0 : n - block.nx, y = number / 2 == 0 ? 0 : n - block.ny;
  for (int k = 0; k < block.nz; ++k) {
    for (int j = 0; j < block.ny; ++j) {
      for (int i = 0; i < block.nx; ++i) {
        const std::size_t row = block.nx + 2 * halo, rows = block.ny + 2 * halo;
        work((static_cast<std::size_t>(k) * n + y + j) * n + x + i,
             ((k + halo) * rows + j + halo) * row + i + halo);
      }
    }
  }
}

Domain make_domain(int n, const std::vector<double>& u) {
  Domain domain;
  for (int b = 0; b < 4; ++b) {
    domain[b] = std::make_unique<Block>(b % 2 == 0 ? n / 2 : n - n / 2, b / 2 == 0 ? n / 2 : n - n / 2, n);
    for_points(n, b, *domain[b], [&](std::size_t i, std::size_t own) { domain[b]->even.host[own] = u[i]; });
    domain[b]->even.upload();
  }
  return domain;
}

host::Outcome run(long size, int repeats) {
  const int n = std::max(4, static_cast<int>(size));
  Domain domain = make_domain(n, solution(n, 0));
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) heat_step(domain, c);
  });

  const std::vector<double> expected = solution(n, repeats);
  double largest = 0, heat = 0;
  for (double u : expected) {
    host::raise(largest, std::fabs(u));
    heat += u;
  }
  for (int b = 0; b < 4; ++b) {
    host::Buffer<double>& now = domain[b]->now();
    now.download();
    for_points(n, b, *domain[b], [&](std::size_t i, std::size_t own) {
      host::raise(outcome.error, std::fabs(now.host[own] - expected[i]) / largest);
    });
  }
  host::raise(outcome.error, std::fabs(total_heat(domain) - heat) / (largest * expected.size()));
  outcome.allowed = 1e-13 * (10 + repeats);
  outcome.work = 1e-9 * n * n * n * repeats;
  outcome.unit = "Gpoint/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"stencil_halo", 128, 100, run};
