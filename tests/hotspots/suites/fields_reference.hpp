// Answers of the hotspots on fields and particles by other ways than theirs, in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace noctune {

// Compressed sparse rows of different lengths, some of them empty; entries in no order, one may occur twice.
struct SparseRows {
  std::vector<int> first{0}, col;
  std::vector<double> val;

  int rows() const { return static_cast<int>(first.size()) - 1; }
};

inline SparseRows sparse_rows(int rows, int cols, int longest, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> any_length(0, longest), any_col(0, cols - 1);
  std::uniform_real_distribution<double> any(-1, 1);
  SparseRows made;
  for (int i = 0; i < rows; ++i) {
    for (int left = i % 7 == 3 ? 0 : any_length(generator); left > 0; --left) {
      made.col.push_back(any_col(generator));
      made.val.push_back(any(generator));
    }
    made.first.push_back(static_cast<int>(made.col.size()));
  }
  return made;
}

// Scattered entry by entry, from the last one to the first.
inline std::vector<long double> times(const SparseRows& A, const std::vector<double>& x) {
  std::vector<long double> y(static_cast<std::size_t>(A.rows()));
  for (int i = A.rows() - 1, e = A.first.back() - 1; e >= 0; --e) {
    while (e < A.first[i]) --i;
    y[i] += static_cast<long double>(A.val[e]) * x[A.col[e]];
  }
  return y;
}

// Grids of nuclides and mixtures of them, as the lookup takes them.
struct Library {
  std::vector<int> grid_first{0}, grid, mix_first{0}, nuclide;
  std::vector<double> micro, density;
};

// Grids reach from somewhere above 0 to somewhere below 1000.
inline Library library(int nuclides, int points, int materials, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> any_points(2, points);
  std::uniform_real_distribution<double> unit(0, 1);
  Library made;
  for (int u = 0; u < nuclides; ++u) {
    std::vector<int> energies(static_cast<std::size_t>(any_points(generator)));
    for (std::size_t p = 0; p < energies.size(); ++p) {
      const double stratum = 900.0 / energies.size();
      energies[p] = static_cast<int>(50 + stratum * (p + 0.5 * unit(generator)));
    }
    made.grid.insert(made.grid.end(), energies.begin(), energies.end());
    made.grid_first.push_back(static_cast<int>(made.grid.size()));
  }
  made.micro.resize(5 * made.grid.size());
  for (double& v : made.micro) v = 0.1 + unit(generator);
  for (int m = 0; m < materials; ++m) {
    for (int u = m % nuclides; u < nuclides; u += 1 + m) {
      made.nuclide.push_back(u);
      made.density.push_back(0.1 + unit(generator));
    }
    made.mix_first.push_back(static_cast<int>(made.nuclide.size()));
  }
  return made;
}

// Without a search: a piecewise linear function is its first value and the rises up to the energy.
inline long double micro_at(const Library& data, int nuclide, int kind, double energy) {
  const int first = data.grid_first[nuclide], last = data.grid_first[nuclide + 1] - 1;
  long double value = data.micro[5 * first + kind];
  for (int p = first; p < last; ++p) {
    const long double from = data.grid[p], to = data.grid[p + 1];
    const long double rise =
        static_cast<long double>(data.micro[5 * (p + 1) + kind]) - data.micro[5 * p + kind];
    value += rise * std::clamp((energy - from) / (to - from), 0.0L, 1.0L);
  }
  return value;
}

inline std::vector<long double> macroscopic(const Library& data, const std::vector<double>& energy,
                                            const std::vector<int>& material) {
  std::vector<long double> sigma(5 * energy.size());
  for (int k = 4; k >= 0; --k) {
    for (std::size_t i = 0; i < energy.size(); ++i) {
      for (int p = data.mix_first[material[i] + 1] - 1; p >= data.mix_first[material[i]]; --p)
        sigma[5 * i + k] += data.density[p] * micro_at(data, data.nuclide[p], k, energy[i]);
    }
  }
  return sigma;
}

// A block with `halo` layers around n[0] x n[1] x n[2] points, of which n[0] is the fastest.
struct Field {
  int n[3], halo;
  std::vector<long double> values;

  Field(int nx, int ny, int nz, int layers)
      : n{nx, ny, nz},
        halo(layers),
        values(static_cast<std::size_t>(nx + 2 * layers) * (ny + 2 * layers) * (nz + 2 * layers)) {}

  long double& at(int i, int j, int k) {
    const std::size_t row = n[0] + 2 * halo, rows = n[1] + 2 * halo;
    return values[((k + halo) * rows + (j + halo)) * row + (i + halo)];
  }
};

// The second difference along one axis as the textbook's three points, on all but the outermost layer there.
inline Field second_difference(Field from, int axis, int reach) {
  Field to(from.n[0], from.n[1], from.n[2], from.halo);
  int step[3] = {0, 0, 0}, more[3] = {0, 0, 0};
  step[axis] = 1;
  more[axis] = reach;
  for (int i = -more[0]; i < from.n[0] + more[0]; ++i) {
    for (int j = -more[1]; j < from.n[1] + more[1]; ++j) {
      for (int k = -more[2]; k < from.n[2] + more[2]; ++k) {
        to.at(i, j, k) = from.at(i - step[0], j - step[1], k - step[2]) - 2 * from.at(i, j, k) +
                         from.at(i + step[0], j + step[1], k + step[2]);
      }
    }
  }
  return to;
}

// u + sum of c (D - D D / 12) u, D the three-point second difference along an axis: what fourth order comes
// from. `before` is what the halo of the result holds.
inline std::vector<long double> heat_step(Field u, const double (&c)[3], Field before) {
  for (int k = 0; k < u.n[2]; ++k) {
    for (int j = 0; j < u.n[1]; ++j) {
      for (int i = 0; i < u.n[0]; ++i) before.at(i, j, k) = u.at(i, j, k);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const Field once = second_difference(u, axis, 1), twice = second_difference(once, axis, 0);
    Field own = second_difference(u, axis, 0);
    for (std::size_t e = 0; e < own.values.size(); ++e)
      before.values[e] += c[axis] * (own.values[e] - twice.values[e] / 12);
  }
  return before.values;
}

// A source at a time on all bodies, the last one first.
inline std::vector<long double> with_gravity(const std::vector<float>& position,
                                             const std::vector<float>& source, const std::vector<float>& mass,
                                             float softening, const std::vector<float>& before) {
  std::vector<long double> acceleration(before.begin(), before.end());
  for (std::size_t j = mass.size(); j-- > 0;) {
    for (std::size_t i = 0; i < position.size(); i += 3) {
      long double away[3], square = static_cast<long double>(softening) * softening;
      for (int k = 0; k < 3; ++k) {
        away[k] = static_cast<long double>(source[3 * j + k]) - position[i + k];
        square += away[k] * away[k];
      }
      for (int k = 0; k < 3; ++k) acceleration[i + k] += mass[j] * away[k] * std::pow(square, -1.5L);
    }
  }
  return acceleration;
}

}  // namespace noctune
