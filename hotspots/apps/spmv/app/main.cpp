// Heat that spreads over a network from sources to sinks, in implicit steps: (I + dt L) heat' = heat + dt
// source, each solved by conjugate gradients. Size: the number of cells.
#include <cmath>
#include <numeric>

#include "kernels.hpp"
#include "program.hpp"

namespace {

constexpr double dt = 1, tolerance = 1e-10;
constexpr int most_iterations = 200;

// The largest |heat + dt L heat - before|, link by link: without the matrix.
double residual(const Network& network, const std::vector<double>& heat, const std::vector<double>& before) {
  std::vector<double> left(network.cells);
  for (int i = 0; i < network.cells; ++i) left[i] = heat[i] - before[i];
  for (const Link& link : network.links) {
    const double flow = dt * link.conductance * (heat[link.from] - heat[link.to]);
    left[link.from] += flow;
    left[link.to] -= flow;
  }
  double largest = 0;
  for (double l : left) host::raise(largest, std::fabs(l));
  return largest;
}

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

host::Outcome run(long size, int repeats) {
  const Network network = make_network(static_cast<int>(size));
  const std::vector<double> initial = host::varied<double>(size, 5, 0, 1);
  const std::vector<double> source = host::varied<double>(size, 6);
  System system(assemble(network, dt), initial, source);
  long iterations = 0;
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      iterations += implicit_step(system, dt, tolerance, most_iterations);
  });
  system.heat.download();
  system.before.download();

  // The last step must solve its equation, and heat may come from the sources alone.
  double largest = 1;
  for (double b : system.before.host) host::raise(largest, std::fabs(b));
  outcome.error = residual(network, system.heat.host, system.before.host) / largest;
  const double expected = total(initial) + repeats * dt * total(source);
  host::raise(outcome.error, std::fabs(total(system.heat.host) - expected) / (largest * size));
  outcome.allowed = 1e-8;
  const double products = static_cast<double>(iterations) + repeats;
  outcome.work = 1e-9 * products * (2.0 * system.val.host.size() + 13.0 * size);
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"spmv", 200000, 10, run};
