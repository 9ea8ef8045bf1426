// Batches of random keys, each sorted on its own. Sizes are rounded down to a power of two.
#include "device.hpp"
#include "powers.hpp"
#include "program.hpp"

extern "C" void bitonic_sort(int n, unsigned int* keys STREAM_PARAM);

namespace {

// The same for the same keys in any order: a sum of well-mixed numbers.
std::uint64_t fingerprint(const unsigned int* keys, long n) {
  std::uint64_t sum = 0;
  for (long i = 0; i < n; ++i) {
    std::uint64_t mixed = (keys[i] + 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 29)) * 0x94D049BB133111EBu;
    sum += mixed ^ (mixed >> 32);
  }
  return sum;
}

host::Outcome run(long size, int repeats) {
  const long n = sdk::power_of_two(size);
  host::Buffer<unsigned int> keys(host::varied<unsigned int>(n * repeats, 1, 0, 4294967296.0));
  std::vector<std::uint64_t> before;
  for (int batch = 0; batch < repeats; ++batch) before.push_back(fingerprint(&keys.host[batch * n], n));
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int batch = 0; batch < repeats; ++batch)
      bitonic_sort(static_cast<int>(n), keys.data() + batch * n STREAM_ARG);
  });
  keys.download();

  for (int batch = 0; batch < repeats; ++batch) {
    const unsigned int* sorted = &keys.host[batch * n];
    outcome.error += fingerprint(sorted, n) != before[batch];
    for (long i = 1; i < n; ++i) outcome.error += sorted[i - 1] > sorted[i];
  }
  outcome.work = 1e-6 * static_cast<double>(n) * repeats;
  outcome.unit = "Mkeys/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"bitonic-sort", 1048576, 2, run};
