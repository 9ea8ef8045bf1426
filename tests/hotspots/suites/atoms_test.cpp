// Hotspots of applications with particles and cells, against long double in other orders; and their texts in
// the mini-applications.
#include <array>
#include <utility>

#include "hotspots/suites/applications.hpp"
#include "hotspots/suites/atoms_reference.hpp"
#include "hotspots/suites/versions.hpp"

SUITE_ENTRY(eam_energy, int n, float box_x, float box_y, float box_z, float cutoff, int nr, float dr,
            int nrho, float drho, const float4* position, const int* count, const int* neighbours,
            const float4* density_spline, const float4* embedding_spline, float* energy, float* derivative)
SUITE_ENTRY(gauss_seidel, int sweeps, int nx, int ny, int nz, const double* ap, const double* aw,
            const double* ae, const double* as, const double* an, const double* ab, const double* at,
            const double* b, double* x)
#define LATTICE_BOLTZMANN int nx, int ny, double omega, const int *kind, const double *f, double *g
SUITE_ENTRY(lattice_boltzmann, LATTICE_BOLTZMANN)
#define MD_FORCE                                                                                           \
  int n, double box_x, double box_y, double box_z, double cutoff, int types, int bins, const int *offsets, \
      const int *list, const double *x, const double *y, const double *z, const int *type,                 \
      const double *table, double *fx, double *fy, double *fz
SUITE_ENTRY(md_force, MD_FORCE)
extern "C" {
void lattice_boltzmann_good(LATTICE_BOLTZMANN);
void lattice_boltzmann_slow(LATTICE_BOLTZMANN);
void lattice_boltzmann_wrong(LATTICE_BOLTZMANN);
void md_force_good(MD_FORCE);
void md_force_slow(MD_FORCE);
void md_force_wrong(MD_FORCE);
}

namespace noctune {
namespace {

long double furthest(const std::vector<double>& got, const std::vector<long double>& expected) {
  long double most = 0;
  for (std::size_t i = 0; i < got.size(); ++i) most = std::max(most, std::fabs(got[i] - expected[i]));
  return most;
}

TEST(SuiteApplications, contain_their_hotspots) {
  for (const char* name : {"eam-energy", "gauss-seidel", "lattice-boltzmann", "md-force"})
    expect_in_its_application(name);
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

TEST(SuiteLatticeBoltzmann, has_candidates_of_every_sort) {
  const Fluid at = fluid(131, 97);
  const auto result = [&](decltype(&lattice_boltzmann_good) entry) {
    auto g = unwritten(at.f.size());
    entry(131, 97, 1.6, at.kind.data(), at.f.data(), g.data());
    return g;
  };
  expect_close(result(lattice_boltzmann_good), at.expected, 32);
  expect_close(result(lattice_boltzmann_slow), at.expected, 32);
  EXPECT_GT(furthest(result(lattice_boltzmann_wrong), at.expected), 1e-3);
}

struct Crowd {
  int n;
  std::array<double, 3> box;
};
const Crowd crowds[] = {{37, {3.5, 4.1, 3.7}}, {501, {7.3, 6.1, 8.7}}, {1100, {9, 10, 8}}};
constexpr double cutoff = 1.5, reach = 1.7;

// The lists of an atom in a column each, behind its end the atom itself.
std::vector<int> columns(const std::vector<std::vector<int>>& lists) {
  std::size_t most = 0;
  for (const auto& list : lists) most = std::max(most, list.size());
  std::vector<int> all(most * lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t k = 0; k < most; ++k)
      all[k * lists.size() + i] = k < lists[i].size() ? lists[i][k] : static_cast<int>(i);
  }
  return all;
}

std::vector<float4> packed(const Atoms& atoms) {
  std::vector<float4> all;
  for (int i = 0; i < atoms.n; ++i) {
    all.push_back({static_cast<float>(atoms.at[0][i]), static_cast<float>(atoms.at[1][i]),
                   static_cast<float>(atoms.at[2][i]), static_cast<float>(atoms.type[i])});
  }
  return all;
}

TEST(SuiteEamEnergy, agrees_with_sums_over_all_pairs) {
  for (const Crowd& crowd : crowds) {
    SCOPED_TRACE(testing::Message() << crowd.n << " atoms");
    const Atoms atoms(crowd.n, crowd.box);
    const Cubics density(
        53, cutoff,
        [](int type, double r) { return (1 + 0.3 * type) * std::pow(cutoff - r, 2) * std::exp(-r); },
        [](int type, double r) {
          return -(1 + 0.3 * type) * (cutoff - r) * (2 + cutoff - r) * std::exp(-r);
        });
    std::vector<long double> rho(atoms.n);
    atoms.pairs(cutoff, [&](int i, int j, const Vector&, long double r) {
      rho[i] += density.value(atoms.type[j], r);
    });
    const double most = static_cast<double>(*std::max_element(rho.begin(), rho.end()));
    const Cubics embedding(
        37, 0.95 * most, [](int type, double x) { return -(1 + 0.2 * type) * std::sqrt(1 + x); },
        [](int type, double x) { return -(1 + 0.2 * type) / 2 / std::sqrt(1 + x); });
    std::vector<long double> energies, slopes;
    for (int i = 0; i < atoms.n; ++i) {
      energies.push_back(embedding.value(atoms.type[i], rho[i]));
      slopes.push_back(embedding.slope(atoms.type[i], rho[i]));
    }

    const auto lists = atoms.neighbours(reach);
    const auto position = packed(atoms), by_r = density.coefficients(), by_rho = embedding.coefficients();
    const auto neighbours = columns(lists);
    std::vector<int> count;
    for (const auto& list : lists) count.push_back(static_cast<int>(list.size()));
    const std::array<float, 3> box = {static_cast<float>(crowd.box[0]), static_cast<float>(crowd.box[1]),
                                      static_cast<float>(crowd.box[2])};
    for_each_version(eam_energy, gpu_eam_energy, [&](auto entry) {
      auto energy = unwritten<float>(atoms.n), derivative = unwritten<float>(atoms.n);
      entry(atoms.n, box[0], box[1], box[2], static_cast<float>(cutoff), density.intervals,
            static_cast<float>(density.width), embedding.intervals, static_cast<float>(embedding.width),
            position.data(), count.data(), neighbours.data(), by_r.data(), by_rho.data(), energy.data(),
            derivative.data());
      expect_close(energy, energies, 64);
      expect_close(derivative, slopes, 64);
    });
  }
}

// Atoms, tables for ordered pairs of their types, and the forces by all pairs.
struct Forces {
  static constexpr int bins = 61;
  Atoms atoms;
  std::vector<double> table = uniform(4 * (bins + 1), 5);
  std::vector<int> offsets = {0}, list;
  std::vector<long double> expected;  // along x, then all along y, then all along z

  explicit Forces(const Crowd& crowd) : atoms(crowd.n, crowd.box), expected(3 * crowd.n) {
    for (const auto& neighbours : atoms.neighbours(reach)) {
      list.insert(list.end(), neighbours.begin(), neighbours.end());
      offsets.push_back(static_cast<int>(list.size()));
    }
    atoms.pairs(cutoff, [&](int i, int j, const Vector& d, long double r) {
      const long double place = bins * r / cutoff;
      const int m = std::min(static_cast<int>(place), bins - 1);
      const double* row = table.data() + (2 * atoms.type[i] + atoms.type[j]) * (bins + 1);
      const long double force = (m + 1 - place) * row[m] + (place - m) * row[m + 1];
      for (int axis = 0; axis < 3; ++axis) expected[axis * atoms.n + i] += force * d[axis] / r;
    });
  }

  template <class Entry>
  std::vector<double> by(const Entry& entry) const {
    auto f = unwritten(3 * static_cast<std::size_t>(atoms.n));
    entry(atoms.n, atoms.box[0], atoms.box[1], atoms.box[2], cutoff, 2, int{bins}, offsets.data(),
          list.data(), atoms.at[0].data(), atoms.at[1].data(), atoms.at[2].data(), atoms.type.data(),
          table.data(), f.data(), f.data() + atoms.n, f.data() + 2 * atoms.n);
    return f;
  }
};

TEST(SuiteMdForce, agrees_with_sums_over_all_pairs) {
  for (const Crowd& crowd : crowds) {
    SCOPED_TRACE(testing::Message() << crowd.n << " atoms");
    const Forces forces(crowd);
    for_each_version(md_force, gpu_md_force,
                     [&](auto entry) { expect_close(forces.by(entry), forces.expected, 100); });
  }
}

TEST(SuiteMdForce, has_candidates_of_every_sort) {
  const Forces forces(crowds[1]);
  expect_close(forces.by(md_force_good), forces.expected, 100);
  expect_close(forces.by(md_force_slow), forces.expected, 100);
  EXPECT_GT(furthest(forces.by(md_force_wrong), forces.expected), 1e-3);
}

}  // namespace
}  // namespace noctune
