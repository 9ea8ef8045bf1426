// A crystal of two kinds of atoms in a periodic cube that are bound by the embedded-atom method: what the
// device does. All pointers are the device's; kernels.cpp and kernels.cu hold the kernels.
#pragma once

#include "device.hpp"

#ifndef HOST_GPU
struct alignas(16) float4 {
  float x, y, z, w;
};
#endif

// Cubic splines of equal intervals, a row for each kind of atoms; four coefficients an interval, the cubic
// one first.
struct Spline {
  int intervals = 0;
  float width = 0;
  const float4* coefficients = nullptr;
};

struct Alloy {
  int n = 0;  // atoms
  float box = 0, cutoff = 0, reach = 0, time_step = 0;
  float4* position = nullptr;  // with the kind
  float4* velocity = nullptr;
  float4* force = nullptr;  // with the share of the pairs' energy
  Spline density, embedding, pair;

  int cells = 0, room = 0;     // cells of an edge, at least `reach` wide; atoms that a cell has room for
  int* inhabitants = nullptr;  // of each cell
  int* inhabitant = nullptr;   // room for each cell
  int most = 0;                // neighbours of an atom
  int* count = nullptr;        // neighbours within reach
  int* neighbours = nullptr;   // neighbour k of atom i at k * n + i
  float* energy = nullptr;     // of embedding
  float* derivative = nullptr;
};

// Lists of the neighbours as atoms stand now.
void find_neighbours(const Alloy& alloy);

// Energies and forces of the atoms as they stand.
void find_forces(const Alloy& alloy);

// One time step by velocity Verlet.
void advance(const Alloy& alloy);

// Sums over all atoms in `parts` pieces each: of kinetic energy, then of all other.
constexpr int parts = 256;
void total(const Alloy& alloy, double* pieces);
