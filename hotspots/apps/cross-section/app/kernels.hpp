// What runs on the device: generations of neutrons, each of which flies to its next collision. kernels.cpp
// holds it for OpenMP, kernels.cu for GPUs.
#pragma once

#include "device.hpp"
#include "library.hpp"

constexpr int sums = 256;  // parts of a sum

// Where neutrons are.
struct Bank {
  host::Buffer<double> energy;
  host::Buffer<int> material;

  explicit Bank(std::size_t neutrons) : energy(neutrons), material(neutrons) {}
};

struct Transport {
  int neutrons, materials;
  host::Buffer<int> grid_first, grid, mix_first, nuclide;
  host::Buffer<double> micro, density;
  Bank even, odd;  // in turn before and after the collision
  host::Buffer<double> sigma;
  host::Buffer<unsigned int> collisions;  // by material, so far
  host::Buffer<double> partial;
  bool swapped = false;

  Transport(const Library& library, int count)
      : neutrons(count),
        materials(library.materials),
        grid_first(library.grid_first),
        grid(library.grid),
        mix_first(library.mix_first),
        nuclide(library.nuclide),
        micro(library.micro),
        density(library.density),
        even(count),
        odd(count),
        sigma(static_cast<std::size_t>(kinds) * count),
        collisions(materials),
        partial(sums) {}

  Bank& now() { return swapped ? odd : even; }
  Bank& next() { return swapped ? even : odd; }
};

// Neutrons of the source, anywhere at any energy.
void start(Transport& transport);

// All neutrons to the end of their next collision, the `generation`-th, from 1 on. How many neutrons from
// fission a collision is expected to give.
double transport_step(Transport& transport, int generation);
