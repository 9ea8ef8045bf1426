// A ball of bodies that falls together under its own gravity (G = 1, mass 1, radius 1), by leapfrog steps.
// Size: the number of bodies.
#include <algorithm>
#include <cmath>

#include "kernels.hpp"
#include "program.hpp"

namespace {

constexpr float dt = 0.005f;

struct Bodies {
  std::vector<double> position, velocity, acceleration, mass;
};

// Evenly spread, with small velocities, around a centre at rest.
Groups make_groups(int n) {
  std::vector<float> position, mass = host::varied<float>(n, 1, 0.5 / n, 1.5 / n);
  for (std::uint64_t seed = 2; position.size() < 3 * static_cast<std::size_t>(n); ++seed) {
    const auto p = host::varied<float>(3, seed);
    if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= 1) position.insert(position.end(), p.begin(), p.end());
  }
  std::vector<float> velocity = host::varied<float>(position.size(), 1, -0.1, 0.1);
  Groups groups;
  const int parts = std::min(4, n);
  for (int g = 0; g < parts; ++g) {
    const long first = static_cast<long>(n) * g / parts, end = static_cast<long>(n) * (g + 1) / parts;
    const auto part = [&](const std::vector<float>& of, long each) {
      return std::vector<float>(of.begin() + each * first, of.begin() + each * end);
    };
    groups.push_back(std::make_unique<Group>(part(position, 3), part(velocity, 3), part(mass, 1)));
  }
  return groups;
}

Bodies bodies_of(Groups& groups) {
  Bodies all;
  const auto append = [](host::Buffer<float>& from, std::vector<double>& to) {
    from.download();
    to.insert(to.end(), from.host.begin(), from.host.end());
  };
  for (auto& group : groups) {
    append(group->position, all.position);
    append(group->velocity, all.velocity);
    append(group->acceleration, all.acceleration);
    append(group->mass, all.mass);
  }
  return all;
}

// Every pair once, for both of its bodies, in double.
std::vector<double> accelerations_by_pairs(const Bodies& bodies) {
  const std::size_t n = bodies.mass.size();
  std::vector<double> sum(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      double away[3], square = static_cast<double>(softening) * softening;
      for (int k = 0; k < 3; ++k) {
        away[k] = bodies.position[3 * j + k] - bodies.position[3 * i + k];
        square += away[k] * away[k];
      }
      const double strength = 1 / (square * std::sqrt(square));
      for (int k = 0; k < 3; ++k) {
        sum[3 * i + k] += bodies.mass[j] * strength * away[k];
        sum[3 * j + k] -= bodies.mass[i] * strength * away[k];
      }
    }
  }
  return sum;
}

// How far the last accelerations are from right ones, by the largest of these.
double error_of(const Bodies& bodies) {
  const std::vector<double> expected = accelerations_by_pairs(bodies);
  double largest = 1e-30, error = 0;
  for (double a : expected) host::raise(largest, std::fabs(a));
  for (std::size_t i = 0; i < expected.size(); ++i)
    host::raise(error, std::fabs(bodies.acceleration[i] - expected[i]) / largest);
  return error;
}

// The momentum along each axis, in all.
double momentum_change(const Bodies& before, const Bodies& after) {
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    double change = 0;
    for (std::size_t i = 0; i < after.mass.size(); ++i)
      change += after.mass[i] * (after.velocity[3 * i + k] - before.velocity[3 * i + k]);
    host::raise(largest, std::fabs(change));
  }
  return largest;
}

host::Outcome run(long size, int repeats) {
  Groups groups = make_groups(static_cast<int>(size));
  leapfrog_step(groups, 0);
  const Bodies before = bodies_of(groups);
  const double energy = total_energy(groups);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) leapfrog_step(groups, dt);
  });
  const Bodies after = bodies_of(groups);

  // Forces of all bodies at the end; momentum, which every step keeps; energy, which leapfrog keeps to some
  // digits.
  outcome.error = error_of(after);
  outcome.allowed = 4e-6 * std::sqrt(static_cast<double>(size));
  host::raise(outcome.error, momentum_change(before, after));
  host::raise(outcome.error, 1e-2 * std::fabs(total_energy(groups) / energy - 1));
  outcome.work = 1e-9 * size * size * repeats;
  outcome.unit = "Gpair/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"n_body", 4096, 10, run};
