// Molecular dynamics of a fluid of Lennard-Jones atoms of two sizes that starts as a crystal. The self-check
// finds the last forces again pair by pair, each pair once, from cells of its own, and holds the run to the
// conservation of energy and momentum.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "device.hpp"
#include "fluid.hpp"
#include "program.hpp"

namespace {

using host::Buffer;
using host::varied;
using Numbers = std::vector<double>;

constexpr double edge = 1.7, cutoff = 2.5, skin = 0.3;
constexpr int types = 2, bins = 2000, rebuilt_every = 8;

// Tables for each pair of types: Lennard-Jones with the force shifted to 0 at the cutoff, and level far
// inside, where no atoms meet.
double plain_force(double size, double r) {
  const double sixth = std::pow(size / r, 6);
  return 24 * (2 * sixth - 1) * sixth / r;
}
double plain_energy(double size, double r) {
  const double sixth = std::pow(size / r, 6);
  return 4 * (sixth - 1) * sixth;
}

void tabulate(Numbers& forces, Numbers& energies) {
  for (int pair = 0; pair < types * types; ++pair) {
    const double size = 1 - 0.03 * (pair % types + pair / types), end = plain_force(size, cutoff);
    for (int m = 0; m <= bins; ++m) {
      const double r = std::max(cutoff * m / bins, 0.8 * size);
      forces.push_back(plain_force(size, r) - end);
      energies.push_back(plain_energy(size, r) - plain_energy(size, cutoff) - end * (cutoff - r));
    }
  }
}

// Where the atoms of a face-centred cubic crystal stand along one axis.
Numbers crystal(int size, int axis) {
  const double within[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  Numbers places = varied<double>(4 * static_cast<std::size_t>(size) * size * size, 10 + axis, 0.23, 0.27);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t cell = i / 4, along[3] = {cell % size, cell / size % size, cell / size / size};
    places[i] = edge * (along[axis] + within[i % 4][axis] + places[i]);
  }
  return places;
}

// Velocities along one axis, without a mean.
Numbers velocities(std::size_t n, int axis) {
  Numbers v = varied<double>(n, 20 + axis, -1.8, 1.8);
  double mean = 0;
  for (double value : v) mean += value / n;
  for (double& value : v) value -= mean;
  return v;
}

double sum(const Numbers& values) {
  double all = 0;
  for (double value : values) all += value;
  return all;
}

// Atoms by cells that are at least `cutoff` wide, at least three along an edge.
struct Cells {
  int along;
  std::vector<std::vector<int>> atoms;

  Cells(double box, const Numbers (&at)[3])
      : along(static_cast<int>(box / cutoff)), atoms(along * along * along) {
    for (int i = 0; i < static_cast<int>(at[0].size()); ++i) {
      int cell = 0;
      for (const Numbers& coordinate : at)
        cell = cell * along + std::min(static_cast<int>(coordinate[i] / box * along), along - 1);
      atoms[cell].push_back(i);
    }
  }

  // Calls work(i, j) once for each pair of atoms in the same cell or in neighbouring ones.
  template <class Work>
  void pairs(const Work& work) const {
    for (int cell = 0; cell < along * along * along; ++cell) {
      const std::vector<int>& own = atoms[cell];
      for (std::size_t first = 0; first < own.size(); ++first) {
        for (std::size_t second = 0; second < first; ++second) work(own[first], own[second]);
      }
      for (int way = 14; way < 27;
           ++way) {  // half of the 26 cells around; the others come from the other side
        for (int i : own) {
          for (int j : atoms[beside(cell, way)]) work(i, j);
        }
      }
    }
  }

 private:
  int beside(int cell, int way) const {
    const auto wrapped = [&](int c) { return (c + along) % along; };
    const int x = wrapped(cell / along / along + way / 9 - 1),
              y = wrapped(cell / along % along + way / 3 % 3 - 1);
    return (x * along + y) * along + wrapped(cell % along + way % 3 - 1);
  }
};

// The largest difference of the forces `f` on atoms at `at` from the sum over pairs, in units of the largest
// force.
double error_of_forces(double box, const Numbers (&at)[3], const std::vector<int>& type, const Numbers& table,
                       const Numbers (&f)[3]) {
  Numbers expected[3];
  for (Numbers& along : expected) along.resize(type.size());
  const auto nearest = [&](double d) { return d > 0.5 * box ? d - box : d < -0.5 * box ? d + box : d; };
  Cells(box, at).pairs([&](int i, int j) {
    double d[3], square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      d[axis] = nearest(at[axis][i] - at[axis][j]);
      square += d[axis] * d[axis];
    }
    if (square >= cutoff * cutoff) return;
    const double place = std::sqrt(square) * (bins / cutoff), below = std::floor(std::min(place, bins - 1.0));
    const double* row = table.data() + (type[i] * types + type[j]) * (bins + 1) + static_cast<int>(below);
    const double force = ((below + 1 - place) * row[0] + (place - below) * row[1]) / std::sqrt(square);
    for (int axis = 0; axis < 3; ++axis) {
      expected[axis][i] += force * d[axis];
      expected[axis][j] -= force * d[axis];
    }
  });
  double error = 0, largest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < type.size(); ++i) {
      host::raise(error, std::fabs(f[axis][i] - expected[axis][i]));
      largest = std::max(largest, std::fabs(expected[axis][i]));
    }
  }
  return error / largest;
}

host::Outcome run(long size, int repeats) {
  if (size < 5 || size > 160) {
    std::fprintf(stderr, "md-force: SIZE, the crystal's cells along an edge, must be 5 to 160\n");
    std::exit(2);
  }
  const double box = edge * static_cast<double>(size);
  const int n = static_cast<int>(4 * size * size * size), cells = static_cast<int>(box / (cutoff + skin));
  Buffer<double> x(crystal(static_cast<int>(size), 0)), y(crystal(static_cast<int>(size), 1));
  Buffer<double> z(crystal(static_cast<int>(size), 2)), vx(velocities(n, 0)), vy(velocities(n, 1)),
      vz(velocities(n, 2));
  Buffer<double> fx(n), fy(n), fz(n), pieces(2 * parts);
  Buffer<int> type(varied<int>(n, 30, 0, types));
  Numbers forces, energies;
  tabulate(forces, energies);
  Buffer<double> force_table(forces), energy_table(energies);
  const int room = 160, capacity = 120 * n;
  Buffer<int> inhabitants(cells * cells * cells),
      inhabitant(static_cast<std::size_t>(cells) * cells * cells * room);
  Buffer<int> offsets(n + 1), list(capacity);
  const Fluid fluid{n,
                    box,
                    cutoff,
                    cutoff + skin,
                    0.004,
                    x.data(),
                    y.data(),
                    z.data(),
                    vx.data(),
                    vy.data(),
                    vz.data(),
                    fx.data(),
                    fy.data(),
                    fz.data(),
                    type.data(),
                    types,
                    bins,
                    force_table.data(),
                    energy_table.data(),
                    cells,
                    room,
                    inhabitants.data(),
                    inhabitant.data(),
                    offsets.data(),
                    capacity,
                    list.data()};
  find_neighbours(fluid);
  find_forces(fluid);
  total(fluid, pieces.data());
  pieces.download();
  const double energy = sum(pieces.host);

  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 1; step <= repeats; ++step) {
      advance(fluid);
      if (step % rebuilt_every == 0) find_neighbours(fluid);
      if (step % 10 == 0) total(fluid, pieces.data());
    }
  });
  total(fluid, pieces.data());
  for (Buffer<double>* result : {&x, &y, &z, &vx, &vy, &vz, &fx, &fy, &fz, &pieces}) result->download();
  offsets.download();

  outcome.allowed = 1;  // errors are in units of what is allowed
  const Numbers at[3] = {x.host, y.host, z.host}, f[3] = {fx.host, fy.host, fz.host};
  outcome.error = error_of_forces(box, at, type.host, force_table.host, f) / 1e-11;
  host::raise(outcome.error, std::fabs(sum(pieces.host) - energy) / (1e-3 * n));
  for (const Buffer<double>* v : {&vx, &vy, &vz})
    host::raise(outcome.error, std::fabs(sum(v->host)) / (1e-10 * n));
  outcome.work = 1e-6 * offsets.host[n] * repeats;
  outcome.unit = "Mpair/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"md-force", 16, 50, run};
