// Hotspots of applications with particles and cells, against long double in other orders; and their texts in
// the mini-applications.
#include <array>
#include <utility>

#include "hotspots/suites/applications.hpp"
#include "hotspots/suites/versions.hpp"

SUITE_ENTRY(gauss_seidel, int sweeps, int nx, int ny, int nz, const double* ap, const double* aw,
            const double* ae, const double* as, const double* an, const double* ab, const double* at,
            const double* b, double* x)
SUITE_ENTRY(lattice_boltzmann, int nx, int ny, double omega, const int* kind, const double* f, double* g)

namespace noctune {
namespace {

TEST(SuiteApplications, contain_their_hotspots) {
  for (const char* name : {"gauss-seidel", "lattice-boltzmann"}) expect_in_its_application(name);
}

// The seven coefficients of each cell, ap first, well on the side of the diagonal.
std::array<std::vector<double>, 7> coefficients(std::size_t cells) {
  std::array<std::vector<double>, 7> a;
  for (unsigned int side = 0; side < 7; ++side)
    a[side] = uniform<double>(cells, side + 1, side == 0 ? 6.5 : 0.5, side == 0 ? 8 : 1);
  return a;
}

// Cells in any order that respects who comes first: here z runs fastest.
void sweep(std::array<int, 3> n, const std::array<std::vector<double>, 7>& a, const std::vector<double>& b,
           bool up, std::vector<long double>& x) {
  const std::array<int, 3> stride = {1, n[0], n[0] * n[1]};
  const auto place = [&](int axis, int step) { return up ? step : n[axis] - 1 - step; };
  for (int i = 1; i < n[0] - 1; ++i) {
    for (int j = 1; j < n[1] - 1; ++j) {
      for (int k = 1; k < n[2] - 1; ++k) {
        const int c = place(0, i) + stride[1] * place(1, j) + stride[2] * place(2, k);
        long double sum = b[c];
        for (int axis = 2; axis >= 0; --axis)
          sum += a[1 + 2 * axis][c] * x[c - stride[axis]] + a[2 + 2 * axis][c] * x[c + stride[axis]];
        x[c] = sum / a[0][c];
      }
    }
  }
}

TEST(SuiteGaussSeidel, agrees_with_sweeps_in_another_order) {
  for (auto [sweeps, nx, ny, nz] : {std::tuple{1, 5, 3, 4}, {3, 43, 9, 11}, {2, 21, 34, 17}}) {
    SCOPED_TRACE(testing::Message() << sweeps << " sweeps of " << nx << " x " << ny << " x " << nz);
    const std::size_t cells = static_cast<std::size_t>(nx) * ny * nz;
    const auto a = coefficients(cells);
    const auto b = uniform(cells, 8), before = uniform(cells, 9);
    std::vector<long double> expected(before.begin(), before.end());
    for (int s = 0; s < 2 * sweeps; ++s) sweep({nx, ny, nz}, a, b, s % 2 == 0, expected);
    for_each_version(gauss_seidel, gpu_gauss_seidel, [&, steps = sweeps, w = nx, h = ny, d = nz](auto entry) {
      auto x = before;
      entry(steps, w, h, d, a[0].data(), a[1].data(), a[2].data(), a[3].data(), a[4].data(), a[5].data(),
            a[6].data(), b.data(), x.data());
      expect_close(x, expected, 32);
    });
  }
}

// Populations are pushed along their directions before cells collide.
std::vector<long double> fluid_step(int nx, int ny, long double omega, const std::vector<int>& kind,
                                    const std::vector<double>& f) {
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const int n = nx * ny;
  std::vector<long double> moved(9 * n), after(9 * n);
  for (int k = 0; k < 9; ++k) {
    for (int cell = 0; cell < n; ++cell)
      moved[k * n + (cell / nx + cy[k] + ny) % ny * nx + (cell % nx + cx[k] + nx) % nx] = f[k * n + cell];
  }
  for (int cell = 0; cell < n; ++cell) {
    long double rho = 0, jx = 0, jy = 0;
    for (int k = 0; k < 9; ++k) {
      rho += moved[k * n + cell];
      jx += cx[k] * moved[k * n + cell];
      jy += cy[k] * moved[k * n + cell];
    }
    for (int k = 0; k < 9; ++k) {
      const long double w = k == 0 ? 4.0L / 9 : k < 5 ? 1.0L / 9 : 1.0L / 36, j = cx[k] * jx + cy[k] * jy;
      const long double feq = w * (rho + 3 * j + (4.5L * j * j - 1.5L * (jx * jx + jy * jy)) / rho);
      after[k * n + cell] = moved[k * n + cell] + omega * (feq - moved[k * n + cell]);
      if (kind[cell] == 0) {  // what goes there came along the opposite direction
        for (int o = 0; o < 9; ++o)
          if (cx[o] == -cx[k] && cy[o] == -cy[k]) after[k * n + cell] = moved[o * n + cell];
      }
    }
  }
  return after;
}

struct Fluid {
  std::vector<int> kind;
  std::vector<double> f;
  std::vector<long double> expected;
};

Fluid fluid(int nx, int ny) {
  const std::size_t cells = static_cast<std::size_t>(nx) * ny;
  const auto kinds = uniform(cells, 1, 0, 10);
  Fluid made{std::vector<int>(kinds.begin(), kinds.end()), uniform(9 * cells, 2, 0.09, 0.13), {}};
  made.expected = fluid_step(nx, ny, 1.6, made.kind, made.f);
  return made;
}

TEST(SuiteLatticeBoltzmann, agrees_with_a_step_that_pushes) {
  for (auto [nx, ny] : {std::pair{5, 2}, {131, 97}, {256, 64}}) {
    SCOPED_TRACE(testing::Message() << nx << " x " << ny);
    const Fluid at = fluid(nx, ny);
    for_each_version(lattice_boltzmann, gpu_lattice_boltzmann, [&, w = nx, h = ny](auto entry) {
      auto g = unwritten(at.f.size());
      entry(w, h, 1.6, at.kind.data(), at.f.data(), g.data());
      expect_close(g, at.expected, 32);
    });
  }
}

}  // namespace
}  // namespace noctune
