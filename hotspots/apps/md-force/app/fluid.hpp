// A fluid of two kinds of atoms in a periodic cube: what the device does. All pointers are the device's;
// kernels.cpp and kernels.cu hold the kernels.
#pragma once

struct Fluid {
  int n = 0;  // atoms
  double box = 0, cutoff = 0, reach = 0, time_step = 0;
  double *x = nullptr, *y = nullptr, *z = nullptr;  // positions
  double *vx = nullptr, *vy = nullptr, *vz = nullptr;
  double *fx = nullptr, *fy = nullptr, *fz = nullptr;
  const int* type = nullptr;

  int types = 0, bins = 0;
  const double* force_table = nullptr;   // bins + 1 values from 0 to the cutoff for each pair of types
  const double* energy_table = nullptr;  // likewise

  int cells = 0, room = 0;     // cells of an edge, at least `reach` wide; atoms that a cell has room for
  int* inhabitants = nullptr;  // of each cell
  int* inhabitant = nullptr;   // room for each cell
  int* offsets = nullptr;      // n + 1
  int capacity = 0;            // of list
  int* list = nullptr;         // of all neighbours within reach, atom after atom
};

// Lists of the neighbours as atoms stand now.
void find_neighbours(const Fluid& fluid);

// Forces of the atoms as they stand.
void find_forces(const Fluid& fluid);

// One time step by velocity Verlet.
void advance(const Fluid& fluid);

// Sums over all atoms in `parts` pieces each: of kinetic energy, then of potential energy.
constexpr int parts = 256;
void total(const Fluid& fluid, double* pieces);
