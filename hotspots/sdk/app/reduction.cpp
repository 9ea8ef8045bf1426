// Moving sums: the sum over a window of n readings that slides by 64 of them each step.
#include "device.hpp"
#include "program.hpp"

extern "C" void reduction(int n, const unsigned int* in, unsigned int* partial,
                          unsigned int* out STREAM_PARAM);

namespace {

using host::Buffer;

constexpr long slide = 64;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  Buffer<unsigned int> readings(host::varied<unsigned int>(n + slide * repeats, 1, 0, 4294967296.0));
  Buffer<unsigned int> partial((n + 255) / 256), sums(repeats);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      reduction(n, readings.data() + slide * step, partial.data(), sums.data() + step STREAM_ARG);
  });
  sums.download();

  // From the sum of all readings, less those before and those behind the window.
  std::uint64_t behind = 0, all = 0;
  for (unsigned int reading : readings.host) all += reading;
  for (long i = n; i < n + slide * repeats; ++i) behind += readings.host[i];
  for (int step = 0; step < repeats; ++step) {
    outcome.error += sums.host[step] != static_cast<unsigned int>(all - behind);
    for (long i = slide * step; i < slide * (step + 1); ++i) {
      all -= readings.host[i];
      behind -= readings.host[n + i];
    }
  }
  outcome.work = 4e-9 * n * repeats;
  outcome.unit = "GB/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"reduction", 16777216, 20, run};
