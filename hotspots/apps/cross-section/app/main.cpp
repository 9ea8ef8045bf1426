// Neutrons that fly from collision to collision through a few materials, all of them at once, by Monte Carlo.
// Size: the number of neutrons, one lookup of cross-sections each a step.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels.hpp"
#include "program.hpp"

namespace {

// The density of a nuclide in every material, 0 where it is none of it.
std::vector<double> densities(const Library& library, int nuclide) {
  std::vector<double> density(library.materials);
  for (int m = 0; m < library.materials; ++m) {
    for (int p = library.mix_first[m]; p < library.mix_first[m + 1]; ++p) {
      if (library.nuclide[p] == nuclide) density[m] += library.density[p];
    }
  }
  return density;
}

// Without a search: through every nuclide's grid once, side by side with the neutrons in order of their
// energies.
std::vector<double> swept(const Library& library, const std::vector<double>& energy,
                          const std::vector<int>& material) {
  std::vector<int> order(energy.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return energy[a] < energy[b]; });
  std::vector<double> sigma(kinds * energy.size());
  for (std::size_t u = 0; u + 1 < library.grid_first.size(); ++u) {
    const std::vector<double> density = densities(library, static_cast<int>(u));
    int above = library.grid_first[u];  // the first point above the energy, as long as there is one
    const int last = library.grid_first[u + 1] - 1;
    for (int i : order) {
      while (above < last && library.grid[above] <= energy[i]) ++above;
      if (density[material[i]] == 0) continue;
      const int below = std::max(above - 1, library.grid_first[u]);
      const double width = library.grid[above] - library.grid[below];
      const double share = width == 0 ? 0 : std::clamp((library.grid[above] - energy[i]) / width, 0.0, 1.0);
      for (int k = 0; k < kinds; ++k) {
        const double micro =
            share * library.micro[kinds * below + k] + (1 - share) * library.micro[kinds * above + k];
        sigma[kinds * i + k] += density[material[i]] * micro;
      }
    }
  }
  return sigma;
}

host::Outcome run(long size, int repeats) {
  const Library library = make_library();
  Transport transport(library, static_cast<int>(size));
  start(transport);
  double fission_neutrons = 0;
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 1; step <= repeats; ++step) fission_neutrons = transport_step(transport, step);
  });

  // All lookups of the last step; what follows from them; and that no collision was lost.
  Bank& before = transport.next();
  before.energy.download();
  before.material.download();
  transport.sigma.download();
  transport.collisions.download();
  const std::vector<double> expected = swept(library, before.energy.host, before.material.host);
  double expected_neutrons = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double total = expected[i - i % kinds];
    host::raise(outcome.error, std::fabs(transport.sigma.host[i] - expected[i]) / total);
    if (i % kinds == 4) expected_neutrons += expected[i] / total / size;
  }
  host::raise(outcome.error, std::fabs(fission_neutrons - expected_neutrons));
  const auto& collisions = transport.collisions.host;
  const double lost = std::accumulate(collisions.begin(), collisions.end(), 0.0) - 1.0 * size * repeats;
  host::raise(outcome.error, std::fabs(lost));
  outcome.allowed = 1e-11;
  outcome.work = 1e-6 * size * repeats;
  outcome.unit = "Mlookup/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"cross_section", 50000, 5, run};
