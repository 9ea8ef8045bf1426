// The fluid on the host.
#include <cmath>

#include "fluid.hpp"

namespace {

// Which cell a coordinate lies in, along one axis.
int cell_of(const Fluid& fluid, double coordinate) {
  const int cell = static_cast<int>(coordinate / fluid.box * fluid.cells);
  return cell < fluid.cells ? cell : fluid.cells - 1;
}

void fill_cells(const Fluid& fluid) {
  for (int cell = 0; cell < fluid.cells * fluid.cells * fluid.cells; ++cell) fluid.inhabitants[cell] = 0;
  for (int i = 0; i < fluid.n; ++i) {
    const int cell = (cell_of(fluid, fluid.z[i]) * fluid.cells + cell_of(fluid, fluid.y[i])) * fluid.cells +
                     cell_of(fluid, fluid.x[i]);
    const int slot = fluid.inhabitants[cell]++;
    if (slot < fluid.room) fluid.inhabitant[cell * fluid.room + slot] = i;
  }
}

// Calls visit(j) for every neighbour j of i within reach.
template <class Visit>
void visit_neighbours(const Fluid& fluid, int i, const Visit& visit) {
  const int cells = fluid.cells;
  const int cx = cell_of(fluid, fluid.x[i]), cy = cell_of(fluid, fluid.y[i]), cz = cell_of(fluid, fluid.z[i]);
  for (int step = 0; step < 27; ++step) {
    const int x = (cx + step % 3 - 1 + cells) % cells, y = (cy + step / 3 % 3 - 1 + cells) % cells;
    const int cell = ((cz + step / 9 - 1 + cells) % cells * cells + y) * cells + x;
    for (int slot = 0; slot < fluid.inhabitants[cell] && slot < fluid.room; ++slot) {
      const int j = fluid.inhabitant[cell * fluid.room + slot];
      double dx = fluid.x[i] - fluid.x[j], dy = fluid.y[i] - fluid.y[j], dz = fluid.z[i] - fluid.z[j];
      dx -= fluid.box * std::rint(dx / fluid.box);
      dy -= fluid.box * std::rint(dy / fluid.box);
      dz -= fluid.box * std::rint(dz / fluid.box);
      if (j != i && dx * dx + dy * dy + dz * dz < fluid.reach * fluid.reach) visit(j);
    }
  }
}

// Half a time step for the velocities.
void kick(const Fluid& fluid) {
  const double half = 0.5 * fluid.time_step;
#pragma omp parallel for
  for (int i = 0; i < fluid.n; ++i) {
    fluid.vx[i] += half * fluid.fx[i];
    fluid.vy[i] += half * fluid.fy[i];
    fluid.vz[i] += half * fluid.fz[i];
  }
}

// A time step for the positions, which stay in the box.
void drift(const Fluid& fluid) {
  const auto moved = [&](double at, double velocity) {
    at += fluid.time_step * velocity;
    return at - fluid.box * std::floor(at / fluid.box);
  };
#pragma omp parallel for
  for (int i = 0; i < fluid.n; ++i) {
    fluid.x[i] = moved(fluid.x[i], fluid.vx[i]);
    fluid.y[i] = moved(fluid.y[i], fluid.vy[i]);
    fluid.z[i] = moved(fluid.z[i], fluid.vz[i]);
  }
}

void md_force(int n, double box_x, double box_y, double box_z, double cutoff, int types, int bins,
              const int* offsets, const int* list, const double* x, const double* y, const double* z,
              const int* type, const double* table, double* fx, double* fy, double* fz) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    fx[i] = 0.0;
    fy[i] = 0.0;
    fz[i] = 0.0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      int j = list[k];
      double dx = x[i] - x[j];
      double dy = y[i] - y[j];
      double dz = z[i] - z[j];
      dx -= box_x * std::rint(dx / box_x);
      dy -= box_y * std::rint(dy / box_y);
      dz -= box_z * std::rint(dz / box_z);
      double r = std::sqrt(dx * dx + dy * dy + dz * dz);
      if (r < cutoff) {
        double p = r / cutoff * bins;
        int m = static_cast<int>(p);
        if (m > bins - 1) m = bins - 1;
        int at = (type[i] * types + type[j]) * (bins + 1) + m;
        double force = table[at] + (p - m) * (table[at + 1] - table[at]);
        fx[i] += force * dx / r;
        fy[i] += force * dy / r;
        fz[i] += force * dz / r;
      }
    }
  }
}

double interpolated(const double* row, double r, double cutoff, int bins) {
  const double p = r / cutoff * bins;
  const int m = p < bins ? static_cast<int>(p) : bins - 1;
  return row[m] + (p - m) * (row[m + 1] - row[m]);
}

}  // namespace

void find_neighbours(const Fluid& fluid) {
  fill_cells(fluid);
  fluid.offsets[0] = 0;
#pragma omp parallel for
  for (int i = 0; i < fluid.n; ++i) {
    int found = 0;
    visit_neighbours(fluid, i, [&](int) { ++found; });
    fluid.offsets[i + 1] = found;
  }
  for (int i = 0; i < fluid.n; ++i) {
    fluid.offsets[i + 1] += fluid.offsets[i];
    if (fluid.offsets[i + 1] > fluid.capacity) fluid.offsets[i + 1] = fluid.capacity;
  }
#pragma omp parallel for
  for (int i = 0; i < fluid.n; ++i) {
    int at = fluid.offsets[i];
    visit_neighbours(fluid, i, [&](int j) {
      if (at < fluid.offsets[i + 1]) fluid.list[at++] = j;
    });
  }
}

void find_forces(const Fluid& fluid) {
  md_force(fluid.n, fluid.box, fluid.box, fluid.box, fluid.cutoff, fluid.types, fluid.bins, fluid.offsets,
           fluid.list, fluid.x, fluid.y, fluid.z, fluid.type, fluid.force_table, fluid.fx, fluid.fy,
           fluid.fz);
}

void advance(const Fluid& fluid) {
  kick(fluid);
  drift(fluid);
  find_forces(fluid);
  kick(fluid);
}

void total(const Fluid& fluid, double* pieces) {
#pragma omp parallel for
  for (int part = 0; part < parts; ++part) {
    const long n = fluid.n;
    double kinetic = 0, potential = 0;
    for (long i = n * part / parts; i < n * (part + 1) / parts; ++i) {
      kinetic += 0.5 * (fluid.vx[i] * fluid.vx[i] + fluid.vy[i] * fluid.vy[i] + fluid.vz[i] * fluid.vz[i]);
      for (int k = fluid.offsets[i]; k < fluid.offsets[i + 1]; ++k) {
        const int j = fluid.list[k];
        double dx = fluid.x[i] - fluid.x[j], dy = fluid.y[i] - fluid.y[j], dz = fluid.z[i] - fluid.z[j];
        dx -= fluid.box * std::rint(dx / fluid.box);
        dy -= fluid.box * std::rint(dy / fluid.box);
        dz -= fluid.box * std::rint(dz / fluid.box);
        const double r = std::sqrt(dx * dx + dy * dy + dz * dz);
        const double* row =
            fluid.energy_table + (fluid.type[i] * fluid.types + fluid.type[j]) * (fluid.bins + 1);
        if (r < fluid.cutoff) potential += 0.5 * interpolated(row, r, fluid.cutoff, fluid.bins);
      }
    }
    pieces[part] = kinetic;
    pieces[parts + part] = potential;
  }
}
