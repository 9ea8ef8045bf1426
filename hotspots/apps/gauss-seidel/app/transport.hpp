// Transport of heat by a flow and by conduction in a box: what the device does. All pointers are the
// device's; kernels.cpp and kernels.cu hold the kernels. A grid has nx * ny * nz cells, the outermost layer
// of which belongs to the boundary.
#pragma once

struct Transport {
  int nx = 0, ny = 0, nz = 0;
  double spacing = 1, time_step = 1, conductivity = 1;
  int sweeps = 1;                  // symmetric ones, a time step
  const double* flow = nullptr;    // velocities along x, then all along y, then all along z
  const double* source = nullptr;  // of heat, a cell
  double* coefficients = nullptr;  // ap, aw, ae, as, an, ab, at, one after the other
  double* b = nullptr;
  double* heat = nullptr;
};

// One implicit time step in which the flow and the source have the given strength: boundary, coefficients,
// right-hand side, then sweeps.
void advance(const Transport& box, double strength);

// Sums over all inner cells in `parts` pieces each: of the squared residual, then of the heat.
constexpr int parts = 256;
void total(const Transport& box, double* pieces);
