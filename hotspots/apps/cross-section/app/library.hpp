// A library of made-up nuclides, each with an energy grid of its own, and materials mixed from them.
#pragma once

#include <vector>

constexpr int kinds = 5;  // total, elastic, absorption, fission, neutrons from fission

struct Library {
  int materials;
  std::vector<int> grid_first, mix_first, nuclide;  // as the lookup takes them
  std::vector<double> grid, micro, density;
};

Library make_library();
