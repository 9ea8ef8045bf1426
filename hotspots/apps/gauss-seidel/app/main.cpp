// Heat in a stirred box that is warm below and cold above, by implicit time steps; residual and heat are
// summed after each. The self-check repeats the last step with products alone: for A = L + D + U a symmetric
// sweep from x to x' is
//   (D + L) D^-1 (D + U) (x' - x) = b - A x.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device.hpp"
#include "program.hpp"
#include "transport.hpp"

namespace {

using host::Buffer;
using host::varied;
using Field = std::vector<double>;

// A roll around the y axis in the middle of the box, with some noise.
Field stirring(int n) {
  const std::size_t cells = static_cast<std::size_t>(n) * n * n;
  Field flow = varied<double>(3 * cells, 1, -0.1, 0.1);
  for (std::size_t c = 0; c < cells; ++c) {
    const double x = (c % n + 0.5) / n, z = (c / n / n + 0.5) / n, pi = std::acos(-1.0);
    flow[c] += std::sin(pi * x) * std::cos(pi * z);
    flow[2 * cells + c] -= std::cos(pi * x) * std::sin(pi * z);
  }
  return flow;
}

double sum(const Field& pieces, int first) {
  double all = 0;
  for (int part = 0; part < parts; ++part) all += pieces[first + part];
  return all;
}

// The host's copy of a system of equations, to multiply with.
struct System {
  std::size_t n, layer;  // cells of an edge and of a layer
  const Field& a;

  double ap(std::size_t c) const { return a[c]; }
  // What the cells before c, and those behind it, count for.
  double before(const Field& x, std::size_t c) const {
    return toward(1, x, c, 1) + toward(3, x, c, n) + toward(5, x, c, layer);
  }
  double behind(const Field& x, std::size_t c) const {
    return toward(2, x, c, 1, 1) + toward(4, x, c, n, 1) + toward(6, x, c, layer, 1);
  }

  // Calls work(c) for all inner cells.
  template <class Work>
  void inside(const Work& work) const {
    for (std::size_t i = 1; i + 1 < n; ++i) {
      for (std::size_t j = 1; j + 1 < n; ++j) {
        for (std::size_t k = 1; k + 1 < n; ++k) work(k * layer + j * n + i);
      }
    }
  }

 private:
  double toward(std::size_t side, const Field& x, std::size_t c, std::size_t step, bool up = false) const {
    return a[side * n * layer + c] * (up ? x[c + step] : x[c - step]);
  }
};

// How far `after` is from one symmetric sweep on `x`, in units of x; and the sum of squared residuals that it
// leaves.
double error_of_sweep(const System& system, const Field& b, const Field& x, const Field& after,
                      double& squares) {
  Field change(x.size()), v(x.size());
  for (std::size_t c = 0; c < x.size(); ++c) change[c] = after[c] - x[c];
  system.inside([&](std::size_t c) { v[c] = change[c] - system.behind(change, c) / system.ap(c); });
  double error = 0;
  squares = 0;
  system.inside([&](std::size_t c) {
    const double swept = system.ap(c) * v[c] - system.before(v, c);
    const double residual = b[c] + system.before(x, c) + system.behind(x, c) - system.ap(c) * x[c];
    host::raise(error, std::fabs(swept - residual) / system.ap(c));
    const double left = b[c] + system.before(after, c) + system.behind(after, c) - system.ap(c) * after[c];
    squares += left * left;
  });
  return error;
}

host::Outcome run(long size, int repeats) {
  if (size > 1280) {
    std::fprintf(stderr, "gauss-seidel: SIZE, the cells along an edge, must be at most 1280\n");
    std::exit(2);
  }
  const int n = static_cast<int>(size) + 2;  // with the boundary
  const std::size_t cells = static_cast<std::size_t>(n) * n * n;
  Buffer<double> flow(stirring(n)), source(varied<double>(cells, 2)), coefficients(7 * cells), b(cells),
      heat(cells);
  Buffer<double> pieces(2 * parts);
  Transport box{n,        n,          n,           1.0 / n,       0.01,
                0.002,    2,          flow.data(), source.data(), coefficients.data(),
                b.data(), heat.data()};
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      advance(box, std::cos(0.1 * step));
      total(box, pieces.data());
    }
  });

  // A step more, of one sweep. What the sweep began with: the heat before the step, with the boundary as it
  // is after it.
  heat.download();
  Field x = heat.host;
  box.sweeps = 1;
  advance(box, 1);
  total(box, pieces.data());
  heat.download();
  coefficients.download();
  b.download();
  pieces.download();
  const System system{static_cast<std::size_t>(n), static_cast<std::size_t>(n) * n, coefficients.host};
  Field begun = heat.host;
  system.inside([&](std::size_t c) { begun[c] = x[c]; });
  double squares = 0;
  outcome.allowed = 1;  // errors are in units of what is allowed
  outcome.error = error_of_sweep(system, b.host, begun, heat.host, squares) / 1e-14;
  host::raise(outcome.error, std::fabs(sum(pieces.host, 0) - squares) / (1e-9 * squares));
  outcome.work = 1e-6 * std::pow(static_cast<double>(size), 3) * 2 * 2 * repeats;
  outcome.unit = "Mcell/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"gauss-seidel", 96, 50, run};
