// A fluid driven through a channel past a cylinder. Mass and momentum are summed on the way, density and
// velocity fields are made at the end. The self-check repeats the last step in another way, cell by cell, and
// holds the run to the conservation of mass.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "channel.hpp"
#include "device.hpp"
#include "program.hpp"

namespace {

using host::Buffer;

constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr double weight[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

// Walls along both sides and a cylinder in the first quarter.
std::vector<int> kinds(int nx, int ny) {
  std::vector<int> kind(static_cast<std::size_t>(nx) * ny);
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) {
      const double dx = x - 0.25 * nx, dy = y - 0.48 * ny;
      const bool wall = y == 0 || y == ny - 1 || dx * dx + dy * dy < 0.01 * ny * ny;
      kind[static_cast<std::size_t>(y) * nx + x] = wall ? 0 : 1;
    }
  }
  return kind;
}

// At rest but for a little noise.
std::vector<double> populations(std::size_t cells) {
  std::vector<double> f = host::varied<double>(9 * cells, 1, 0.98, 1.02);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] *= weight[i / cells];
  return f;
}

double sum(const std::vector<double>& pieces, int first) {
  double all = 0;
  for (int part = 0; part < parts; ++part) all += pieces[first + part];
  return all;
}

// The inflow's share of a step.
void drive(const Channel& channel, const std::vector<int>& kind, std::vector<double>& f) {
  const std::size_t n = kind.size();
  for (std::size_t cell = 0; cell < n; cell += channel.nx) {
    bool enough = kind[cell] != 0;
    std::array<double, 9> change;
    for (int k = 0; k < 9; ++k) {
      change[k] = 3 * weight[k] * channel.drive * cx[k];
      enough = enough && f[k * n + cell] > -change[k];
    }
    if (!enough) continue;
    for (int k = 0; k < 9; ++k) f[k * n + cell] += change[k];
  }
}

// What a fluid cell relaxes towards: the equilibrium of its density and momentum.
std::array<double, 9> equilibrium(const std::array<double, 9>& f) {
  double rho = 0, jx = 0, jy = 0;
  for (int k = 8; k >= 0; --k) {
    rho += f[k];
    jx += f[k] * cx[k];
    jy += f[k] * cy[k];
  }
  std::array<double, 9> feq;
  for (int k = 0; k < 9; ++k) {
    const double along = (cx[k] * jx + cy[k] * jy) / rho;
    feq[k] =
        weight[k] * (rho + 3 * rho * along + rho * (4.5 * along * along) - 1.5 * (jx * jx + jy * jy) / rho);
  }
  return feq;
}

// The largest difference of `after` from one step on `before`: populations are pushed along their directions,
// and only then cells collide.
double error_of_step(const Channel& channel, const std::vector<int>& kind, std::vector<double> before,
                     const std::vector<double>& after) {
  const int nx = channel.nx, ny = channel.ny;
  const std::size_t n = kind.size();
  drive(channel, kind, before);
  std::vector<double> moved(9 * n);
  for (int k = 0; k < 9; ++k) {
    for (int y = 0; y < ny; ++y) {
      double* row = moved.data() + k * n + static_cast<std::size_t>((y + cy[k] + ny) % ny) * nx;
      for (int x = 0; x < nx; ++x)
        row[(x + cx[k] + nx) % nx] = before[k * n + static_cast<std::size_t>(y) * nx + x];
    }
  }
  constexpr int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  double error = 0;
  for (std::size_t cell = 0; cell < n; ++cell) {
    std::array<double, 9> f;
    for (int k = 0; k < 9; ++k) f[k] = moved[k * n + cell];
    const std::array<double, 9> feq = equilibrium(f);
    for (int k = 0; k < 9; ++k) {
      const double fluid = (1 - channel.omega) * f[k] + channel.omega * feq[k];
      const double expected = kind[cell] == 0 ? f[opposite[k]] : fluid;
      host::raise(error, std::fabs(after[k * n + cell] - expected));
    }
  }
  return error;
}

host::Outcome run(long size, int repeats) {
  if (size > 10000) {
    std::fprintf(stderr, "lattice-boltzmann: SIZE, the cells across the channel, must be at most 10000\n");
    std::exit(2);
  }
  const int ny = static_cast<int>(size), nx = 2 * ny;
  const std::size_t cells = static_cast<std::size_t>(nx) * ny;
  Buffer<int> kind(kinds(nx, ny));
  Buffer<double> f(populations(cells)), g(9 * cells), pieces(2 * parts), density(cells), ux(cells), uy(cells);
  Channel channel{nx, ny, 1.6, 1e-3, kind.data(), f.data(), g.data()};
  total(channel, pieces.data());
  pieces.download();
  const double mass = sum(pieces.host, 0);

  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 1; step <= repeats; ++step) {
      advance(channel);
      if (step % 50 == 0) total(channel, pieces.data());
    }
    moments(channel, density.data(), ux.data(), uy.data());
  });

  total(channel, pieces.data());
  pieces.download();
  outcome.allowed = 1;  // errors below are in units of what is allowed
  host::raise(outcome.error,
              std::fabs(sum(pieces.host, 0) - mass) / (1e-13 * mass * std::sqrt(repeats + 1.0)));
  density.download();
  double of_fields = 0;
  for (std::size_t row = 0; row < cells; row += nx) {
    double of_row = 0;
    for (int x = 0; x < nx; ++x) of_row += density.host[row + x];
    of_fields += of_row;
  }
  host::raise(outcome.error, std::fabs(of_fields - mass) / (1e-12 * mass * std::sqrt(repeats + 1.0)));

  // One step more than was timed, with what was there before it kept.
  f.download();
  g.download();
  const bool in_f = channel.f == f.data();
  const std::vector<double> before = in_f ? f.host : g.host;
  advance(channel);
  Buffer<double>& now = in_f ? g : f;
  now.download();
  host::raise(outcome.error, error_of_step(channel, kind.host, before, now.host) / 1e-14);
  outcome.work = 1e-6 * static_cast<double>(cells) * repeats;
  outcome.unit = "Mcell/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"lattice-boltzmann", 384, 100, run};
