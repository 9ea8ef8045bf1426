// What runs on the device: a step of the heat equation on a domain that is cut into four blocks, two along x
// and two along y, as four ranks would hold it. kernels.cpp holds it for OpenMP, kernels.cu for GPUs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "device.hpp"

constexpr int halo = 2;    // layers
constexpr int sums = 256;  // parts of a sum

// Where a box of points begins in a block and how far it reaches; -2 is the outermost layer of the halo.
struct Box {
  int x, y, z, nx, ny, nz;
};

struct Block {
  int nx, ny, nz;
  host::Buffer<double> even, odd;  // temperatures, halo included: in turn the present and the next ones
  host::Buffer<double> message;    // what a neighbour sends
  bool swapped = false;

  Block(int nx_, int ny_, int nz_)
      : nx(nx_), ny(ny_), nz(nz_), even(points()), odd(points()), message(halo * (nx > ny ? nx : ny) * nz) {}

  std::size_t points() const {
    return static_cast<std::size_t>(nx + 2 * halo) * (ny + 2 * halo) * (nz + 2 * halo);
  }
  host::Buffer<double>& now() { return swapped ? odd : even; }
  host::Buffer<double>& next() { return swapped ? even : odd; }
};

// Block 2 y + x; periodic along x and y, between cold walls along z.
using Domain = std::array<std::unique_ptr<Block>, 4>;

// c: diffusivity times time step over the square of the spacing, by axis.
void heat_step(Domain& domain, const double (&c)[3]);

// The sum of all temperatures.
double total_heat(Domain& domain);
