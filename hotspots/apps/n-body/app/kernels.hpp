// What runs on the device: a leapfrog step of bodies that attract each other, held in up to four groups, as
// ranks that pass their bodies around a ring would hold them. kernels.cpp holds it for OpenMP, kernels.cu for
// GPUs.
#pragma once

#include <memory>
#include <vector>

#include "device.hpp"

constexpr float softening = 0.05f;

struct Group {
  int n;
  host::Buffer<float> position, velocity, acceleration;  // x, y, z of one body after the other
  host::Buffer<float> mass;
  host::Buffer<double> energy;  // of each body

  Group(std::vector<float> positions, std::vector<float> velocities, std::vector<float> masses)
      : n(static_cast<int>(masses.size())),
        position(std::move(positions)),
        velocity(std::move(velocities)),
        acceleration(3 * masses.size()),
        mass(std::move(masses)),
        energy(n) {}
};

using Groups = std::vector<std::unique_ptr<Group>>;

// Half a kick, a drift, new accelerations, half a kick. A step of length 0 gives the first accelerations.
void leapfrog_step(Groups& groups, float dt);

// Kinetic and potential energy of all bodies.
double total_energy(Groups& groups);
