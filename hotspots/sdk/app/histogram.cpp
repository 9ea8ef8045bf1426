// Histograms of the frames of a film, four frames over and over. Each is a shuffled set of which it is known
// how often each value is in it.
#include <algorithm>
#include <cmath>
#include <random>

#include "device.hpp"
#include "program.hpp"

extern "C" void histogram(int n, const unsigned int* values, unsigned int* part,
                          unsigned int* counts STREAM_PARAM);

namespace {

using host::Buffer;

constexpr int frames = 4, bins = 256;

// How often each value is in a frame of n: alike in frame 0, ever more bright ones in those that follow.
std::vector<unsigned int> known_counts(int n, int frame) {
  double shares = 0;
  for (int bin = 0; bin < bins; ++bin) shares += std::pow(bin + 1, frame);
  std::vector<unsigned int> counts(bins);
  int left = n;
  for (int bin = 1; bin < bins; ++bin) {
    counts[bin] = static_cast<unsigned int>(n * (std::pow(bin + 1, frame) / shares));
    left -= static_cast<int>(counts[bin]);
  }
  counts[0] = static_cast<unsigned int>(left);
  return counts;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  std::vector<unsigned int> pixels, known;
  std::mt19937 generator(1);
  for (int frame = 0; frame < frames; ++frame) {
    const std::vector<unsigned int> counts = known_counts(n, frame);
    for (unsigned int bin = 0; bin < bins; ++bin) pixels.insert(pixels.end(), counts[bin], bin);
    std::shuffle(pixels.end() - n, pixels.end(), generator);
    known.insert(known.end(), counts.begin(), counts.end());
  }

  const long blocks = (size + 1023) / 1024;
  Buffer<unsigned int> film(std::move(pixels)), part(bins * blocks, 123), counts(bins * frames);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      const long frame = step % frames;
      histogram(n, film.data() + frame * n, part.data(), counts.data() + frame * bins STREAM_ARG);
    }
  });
  counts.download();

  const int seen = bins * std::min(repeats, frames);
  for (int i = 0; i < seen; ++i) outcome.error += counts.host[i] != known[i];
  outcome.work = 1e-9 * n * repeats;
  outcome.unit = "Gvalues/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"histogram", 4194304, 100, run};
