// Vibrations of a face-centred cubic alloy, bound by the embedded-atom method. Lengths are in edges of the
// cubic cell, masses are 1. The self-check finds the last embedding energies again in double from the
// functions that the splines stand for, each pair once, from cells of its own, and holds the run to the
// conservation of energy.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "alloy.hpp"
#include "program.hpp"

namespace {

using host::Buffer;
using host::varied;

constexpr double cutoff = 1.5, skin = 0.15, fading = 1.2, highest_density = 40;
constexpr int intervals = 1000, rebuilt_every = 5;
const double bond = std::sqrt(0.5);

// 1 up to `fading`, 0 from the cutoff on, smooth in between.
double fade(double r) {
  const double t = std::clamp((r - fading) / (cutoff - fading), 0.0, 1.0);
  return (1 - t) * (1 - t) * (1 + 2 * t);
}

double density(int kind, double r) {
  return (kind == 0 ? 1.0 : 1.1) * std::exp(-(kind == 0 ? 4.5 : 4.2) * (r / bond - 1)) * fade(r);
}
double pair(double r) {
  return 0.17 * std::exp(-11 * (r / bond - 1)) * fade(r);
}
double root_factor(int kind) {
  return kind == 0 ? 1.2 : 1.3;
}
double embedding(int kind, double rho) {
  return -root_factor(kind) * std::sqrt(std::max(rho, 0.0));
}

// Appends the cubics of all intervals from 0 to `end`, with slopes by differences that are much narrower.
template <class Function>
void append(std::vector<float4>& spline, double end, const Function& f) {
  const double width = end / intervals, step = 1e-4 * width;
  const auto slope = [&](double at) { return (f(at + step) - f(at - step)) / (2 * step) * width; };
  for (int m = 0; m < intervals; ++m) {
    const double left = f(m * width), rise = f((m + 1) * width) - left;
    const double before = slope(m * width), behind = slope((m + 1) * width);
    spline.push_back({static_cast<float>(before + behind - 2 * rise),
                      static_cast<float>(3 * rise - 2 * before - behind), static_cast<float>(before),
                      static_cast<float>(left)});
  }
}

std::vector<float4> crystal(int size) {
  const double within[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  const std::size_t n = 4 * static_cast<std::size_t>(size) * size * size;
  const std::vector<double> shift = varied<double>(3 * n, 1, 0.24, 0.26);
  const std::vector<int> kind = varied<int>(n, 2, 0, 2);
  std::vector<float4> atoms(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t cell = i / 4, x = cell % size, y = cell / size % size, z = cell / size / size;
    atoms[i] = {static_cast<float>(x + within[i % 4][0] + shift[3 * i]),
                static_cast<float>(y + within[i % 4][1] + shift[3 * i + 1]),
                static_cast<float>(z + within[i % 4][2] + shift[3 * i + 2]), static_cast<float>(kind[i])};
  }
  return atoms;
}

std::vector<float4> velocities(std::size_t n) {
  const std::vector<float> v = varied<float>(3 * n, 3, -0.3, 0.3);
  std::vector<float4> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = {v[3 * i], v[3 * i + 1], v[3 * i + 2], 0};
  return all;
}

double sum(const std::vector<double>& values) {
  double all = 0;
  for (double value : values) all += value;
  return all;
}

// Atoms by cells that are at least `cutoff` wide, at least three along an edge.
struct Cells {
  int along;
  std::vector<std::vector<int>> atoms;

  Cells(double box, const std::vector<float4>& at)
      : along(static_cast<int>(box / cutoff)), atoms(along * along * along) {
    const auto place = [&](double c) { return std::min(static_cast<int>(c / box * along), along - 1); };
    for (int i = 0; i < static_cast<int>(at.size()); ++i)
      atoms[(place(at[i].x) * along + place(at[i].y)) * along + place(at[i].z)].push_back(i);
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

// The largest difference of embedding energies and their derivatives, in units of what single precision
// allows.
double error_of_embedding(double box, const std::vector<float4>& at, const std::vector<float>& energy,
                          const std::vector<float>& derivative) {
  std::vector<double> rho(at.size());
  const auto nearest = [&](double d) { return d > 0.5 * box ? d - box : d < -0.5 * box ? d + box : d; };
  Cells(box, at).pairs([&](int i, int j) {
    const double dx = nearest(static_cast<double>(at[i].x) - at[j].x);
    const double dy = nearest(static_cast<double>(at[i].y) - at[j].y);
    const double dz = nearest(static_cast<double>(at[i].z) - at[j].z), square = dx * dx + dy * dy + dz * dz;
    if (square >= cutoff * cutoff) return;
    rho[i] += density(static_cast<int>(at[j].w), std::sqrt(square));
    rho[j] += density(static_cast<int>(at[i].w), std::sqrt(square));
  });
  double error = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const int kind = static_cast<int>(at[i].w);
    const double slope = -0.5 * root_factor(kind) / std::sqrt(rho[i]);
    host::raise(error, std::fabs(energy[i] - embedding(kind, rho[i])) / 2e-5);
    host::raise(error, std::fabs(derivative[i] - slope) / 1e-5);
  }
  return error;
}

host::Outcome run(long size, int repeats) {
  if (size < 5 || size > 160) {
    std::fprintf(stderr, "eam-energy: SIZE, the crystal's cells along an edge, must be 5 to 160\n");
    std::exit(2);
  }
  const int n = static_cast<int>(4 * size * size * size), cells = static_cast<int>(size / (cutoff + skin));
  std::vector<float4> densities, embeddings, pairs;
  for (int kind = 0; kind < 2; ++kind) {
    append(densities, cutoff, [&](double r) { return density(kind, r); });
    append(embeddings, highest_density, [&](double rho) { return embedding(kind, rho); });
  }
  append(pairs, cutoff, pair);
  const int room = 128, most = 120;
  Buffer<float4> position(crystal(static_cast<int>(size))), velocity(velocities(n)), force(n);
  Buffer<float4> density_spline(densities), embedding_spline(embeddings), pair_spline(pairs);
  Buffer<int> inhabitants(cells * cells * cells),
      inhabitant(static_cast<std::size_t>(cells) * cells * cells * room);
  Buffer<int> count(n), neighbours(static_cast<std::size_t>(n) * most);
  Buffer<float> energy(n), derivative(n);
  Buffer<double> pieces(2 * parts);
  Alloy alloy;
  alloy.n = n;
  alloy.box = static_cast<float>(size);
  alloy.cutoff = cutoff;
  alloy.reach = cutoff + skin;
  alloy.time_step = 0.01f;
  alloy.position = position.data();
  alloy.velocity = velocity.data();
  alloy.force = force.data();
  alloy.density = {intervals, static_cast<float>(cutoff / intervals), density_spline.data()};
  alloy.embedding = {intervals, static_cast<float>(highest_density / intervals), embedding_spline.data()};
  alloy.pair = {intervals, static_cast<float>(cutoff / intervals), pair_spline.data()};
  alloy.cells = cells;
  alloy.room = room;
  alloy.inhabitants = inhabitants.data();
  alloy.inhabitant = inhabitant.data();
  alloy.most = most;
  alloy.count = count.data();
  alloy.neighbours = neighbours.data();
  alloy.energy = energy.data();
  alloy.derivative = derivative.data();
  find_neighbours(alloy);
  find_forces(alloy);
  total(alloy, pieces.data());
  pieces.download();
  const double begun = sum(pieces.host);

  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 1; step <= repeats; ++step) {
      advance(alloy);
      if (step % rebuilt_every == 0) find_neighbours(alloy);
      if (step % 10 == 0) total(alloy, pieces.data());
    }
  });
  total(alloy, pieces.data());
  position.download();
  count.download();
  energy.download();
  derivative.download();
  pieces.download();

  outcome.allowed = 1;  // errors are in units of what is allowed
  outcome.error = error_of_embedding(static_cast<double>(size), position.host, energy.host, derivative.host);
  host::raise(outcome.error, std::fabs(sum(pieces.host) - begun) / (1e-3 * n));
  double listed = 0;
  for (int neighbours_of_one : count.host) listed += neighbours_of_one;
  outcome.work = 1e-6 * listed * repeats;
  outcome.unit = "Mpair/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"eam-energy", 16, 50, run};
