// Cells that exchange heat along links: every cell with the next one, and with a few others, some with many.
#pragma once

#include <vector>

struct Link {
  int from, to;  // from < to
  double conductance;
};

struct Network {
  int cells;
  std::vector<Link> links;  // by from, then by to
};

Network make_network(int cells);

// I + dt L in compressed sparse rows, columns ascending, L the Laplacian of the network; and 1 / its
// diagonal.
struct Matrix {
  std::vector<int> row_ptr, col;
  std::vector<double> val, inverse_diagonal;
};

Matrix assemble(const Network& network, double dt);
