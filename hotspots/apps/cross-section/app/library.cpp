#include "library.hpp"

#include <algorithm>

#include "program.hpp"

namespace {

constexpr int nuclides = 68, most_points = 11303, materials = 12;

// How many nuclides a material has: fuel, the first one, many more than the others.
int mixed(int material) {
  return material == 0 ? 34 : 4 + 7 * material % 19;
}

// Energies of one nuclide, ascending; a little of the range is beyond its ends.
std::vector<int> make_grid(int nuclide, double share) {
  const int points = most_points / 8 + static_cast<int>(share * (most_points - most_points / 8));
  std::vector<double> place = host::varied<double>(points, 100 + nuclide, 0.1, 1);  // steps at first
  double end = 0;
  for (double& step : place) step = end += step;
  std::vector<int> grid;
  for (double p : place)
    grid.push_back(static_cast<int>(energies * (0.02 + (0.96 + 0.02 * share) * p / end)));
  return grid;
}

// Smooth cross-sections with narrow resonances; the kinds add up.
void append_micro(const std::vector<int>& grid, int nuclide, std::vector<double>& micro) {
  const auto height = host::varied<double>(grid.size(), 200 + nuclide, 0, 1);
  const bool fissile = nuclide % 5 == 0;
  for (std::size_t p = 0; p < grid.size(); ++p) {
    const double elastic = 1 + 0.5 * height[p];
    const double absorption = 0.05 / (0.05 + grid[p] / energies) + (height[p] > 0.97 ? 20 * height[p] : 0);
    const double fission = fissile ? 0.6 * absorption : 0;
    for (double kind : {elastic + absorption, elastic, absorption, fission, 2.5 * fission})
      micro.push_back(kind);
  }
}

}  // namespace

Library make_library() {
  Library library{materials, {0}, {}, {0}, {}, {}, {}};
  const auto shares = host::varied<double>(nuclides, 1, 0, 1);
  for (int u = 0; u < nuclides; ++u) {
    const std::vector<int> grid = make_grid(u, shares[u]);
    append_micro(grid, u, library.micro);
    library.grid.insert(library.grid.end(), grid.begin(), grid.end());
    library.grid_first.push_back(static_cast<int>(library.grid.size()));
  }
  for (int m = 0; m < materials; ++m) {
    std::vector<int> chosen;  // 29 and 68 have no common divisor, so none comes twice
    for (int c = 0; c < mixed(m); ++c) chosen.push_back((31 * m + 29 * c) % nuclides);
    std::sort(chosen.begin(), chosen.end());
    const auto densities = host::varied<double>(chosen.size(), 300 + m, 0.1, 1);
    library.nuclide.insert(library.nuclide.end(), chosen.begin(), chosen.end());
    library.density.insert(library.density.end(), densities.begin(), densities.end());
    library.mix_first.push_back(static_cast<int>(library.nuclide.size()));
  }
  return library;
}
