// Spectra of a batch of signals, each transformed in place on its own. Sizes are rounded down to a power of
// two.
#include <cmath>

#include "device.hpp"
#include "powers.hpp"
#include "program.hpp"

extern "C" void fast_walsh(int n, float* values STREAM_PARAM);

namespace {

constexpr int probes = 8;

// The transform is its own inverse but for the factor n, so a row of signs times the spectrum gives back one
// value of the signal. Every element of the spectrum counts in each.
double back_at(const float* spectrum, unsigned long n, unsigned long place) {
  double sum = 0;
  for (unsigned long i = 0; i < n; ++i) sum += __builtin_parityl(i & place) != 0 ? -spectrum[i] : spectrum[i];
  return sum / static_cast<double>(n);
}

host::Outcome run(long size, int repeats) {
  const long n = sdk::power_of_two(size);
  const std::vector<float> signals = host::varied<float>(n * repeats, 1);
  const std::vector<unsigned long> places =
      host::varied<unsigned long>(probes * repeats, 2, 0, static_cast<double>(n));
  host::Buffer<float> spectra(signals);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int signal = 0; signal < repeats; ++signal)
      fast_walsh(static_cast<int>(n), spectra.data() + signal * n STREAM_ARG);
  });
  spectra.download();

  for (int probe = 0; probe < probes * repeats; ++probe) {
    const long first = probe / probes * n;
    const double back = back_at(&spectra.host[first], static_cast<unsigned long>(n), places[probe]);
    host::raise(outcome.error, std::fabs(back - signals[first + static_cast<long>(places[probe])]));
  }
  outcome.allowed = 2e-6;  // the roundings of all elements of the spectrum are added up, but cancel
  outcome.work = 1e-9 * static_cast<double>(n) * sdk::log2_of(n) * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"fast-walsh", 1048576, 10, run};
