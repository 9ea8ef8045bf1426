// A library of made-up nuclides, each with an energy grid of its own, and materials mixed from them.
#pragma once

#include <vector>

constexpr int kinds = 5;              // total, elastic, absorption, fission, neutrons from fission
constexpr double energies = 1 << 20;  // from 0 up to here, in steps of the library's resolution

struct Library {
  int materials;
  std::vector<int> grid_first, grid, mix_first, nuclide;  // as the lookup takes them
  std::vector<double> micro, density;
};

Library make_library();
