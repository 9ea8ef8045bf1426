// The kernels and the time step for OpenMP.
#include "kernels.hpp"

#include <cmath>

namespace {

void kick(int n, float dt, const float* acceleration, float* velocity) {
#pragma omp parallel for
  for (int i = 0; i < 3 * n; ++i) velocity[i] += dt * acceleration[i];
}

// Moves the bodies, and forgets what they felt where they were.
void drift(int n, float dt, const float* velocity, float* position, float* acceleration) {
#pragma omp parallel for
  for (int i = 0; i < 3 * n; ++i) {
    position[i] += dt * velocity[i];
    acceleration[i] = 0.0f;
  }
}

// What a group feels of another one, or of itself, on top of what it feels already.
void n_body(int n, int sources, float softening, const float* position, const float* source,
            const float* mass, float* acceleration) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < sources; ++j) {
      float dx = source[3 * j] - position[3 * i];
      float dy = source[3 * j + 1] - position[3 * i + 1];
      float dz = source[3 * j + 2] - position[3 * i + 2];
      float distance = std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
      float pull = mass[j] / (distance * distance * distance);
      acceleration[3 * i] += pull * dx;
      acceleration[3 * i + 1] += pull * dy;
      acceleration[3 * i + 2] += pull * dz;
    }
  }
}

void kinetic_energy(int n, const float* velocity, const float* mass, double* energy) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double square = 0;
    for (int k = 0; k < 3; ++k) square += static_cast<double>(velocity[3 * i + k]) * velocity[3 * i + k];
    energy[i] = 0.5 * mass[i] * square;
  }
}

// Half of each pair's energy for either body; a body's own share is the same at all times.
void add_potential_energy(int n, int sources, const float* position, const float* own_mass,
                          const float* source, const float* mass, double* energy) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double potential = 0;
    for (int j = 0; j < sources; ++j) {
      double square = static_cast<double>(softening) * softening;
      for (int k = 0; k < 3; ++k) {
        const double away = static_cast<double>(source[3 * j + k]) - position[3 * i + k];
        square += away * away;
      }
      potential += mass[j] / std::sqrt(square);
    }
    energy[i] -= 0.5 * own_mass[i] * potential;
  }
}

}  // namespace

void leapfrog_step(Groups& groups, float dt) {
  for (auto& own : groups) {
    kick(own->n, dt / 2, own->acceleration.data(), own->velocity.data());
    drift(own->n, dt, own->velocity.data(), own->position.data(), own->acceleration.data());
  }
  for (std::size_t turn = 0; turn < groups.size(); ++turn) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Group &own = *groups[g], &guest = *groups[(g + turn) % groups.size()];
      n_body(own.n, guest.n, softening, own.position.data(), guest.position.data(), guest.mass.data(),
             own.acceleration.data());
    }
  }
  for (auto& own : groups) kick(own->n, dt / 2, own->acceleration.data(), own->velocity.data());
}

double total_energy(Groups& groups) {
  double total = 0;
  for (auto& own : groups) {
    kinetic_energy(own->n, own->velocity.data(), own->mass.data(), own->energy.data());
    for (auto& guest : groups)
      add_potential_energy(own->n, guest->n, own->position.data(), own->mass.data(), guest->position.data(),
                           guest->mass.data(), own->energy.data());
    own->energy.download();
    for (double energy : own->energy.host) total += energy;
  }
  return total;
}
