// A wave that is sent into a cavity from one edge, a stretch of time a call. With S the sum of all hz so far,
// the electric fields are those of the start less half of S's differences; so the self-check advances hz
// alone, in double.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void fdtd_2d(int steps, int nx, int ny, float* ex, float* ey, float* hz,
                        const float* source STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

struct Fields {
  std::vector<double> ex, ey, hz;
};

// The fields after source has acted, from `start`. now is start + what S adds.
Fields advanced(const Fields& start, int n, const std::vector<float>& source) {
  Fields now = start;
  std::vector<double> S(start.hz.size());
  for (const float drive : source) {
    for (std::size_t at = 0; at < S.size(); ++at) S[at] += now.hz[at];
    for (std::size_t at = 0; at < S.size(); ++at) {
      const bool first_row = at < static_cast<std::size_t>(n), first_column = at % n == 0;
      now.ey[at] = first_row ? drive : start.ey[at] - (S[at] - S[at - n]) / 2;
      now.ex[at] = first_column ? start.ex[at] : start.ex[at] - (S[at] - S[at - 1]) / 2;
    }
    for (std::size_t at = 0; at + n < S.size(); ++at) {
      if (at % n + 1 < static_cast<std::size_t>(n))
        now.hz[at] -= 0.7 * (now.ex[at + 1] - now.ex[at] + now.ey[at + n] - now.ey[at]);
    }
  }
  return now;
}

double largest_difference(const std::vector<float>& got, const std::vector<double>& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) host::raise(largest, std::fabs(got[i] - expected[i]));
  return largest;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size), steps = 10;
  std::vector<float> wave(static_cast<std::size_t>(steps) * repeats);
  for (std::size_t t = 0; t < wave.size(); ++t) wave[t] = std::sin(0.2f * static_cast<float>(t + 1));
  const std::size_t elements = static_cast<std::size_t>(n) * n;
  Buffer<float> ex(varied<float>(elements, 1, -0.1, 0.1)), ey(varied<float>(elements, 2, -0.1, 0.1));
  Buffer<float> hz(varied<float>(elements, 3, -0.1, 0.1)), source(wave);
  const Fields start{
      {ex.host.begin(), ex.host.end()}, {ey.host.begin(), ey.host.end()}, {hz.host.begin(), hz.host.end()}};
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int call = 0; call < repeats; ++call)
      fdtd_2d(steps, n, n, ex.data(), ey.data(), hz.data(), source.data() + call * steps STREAM_ARG);
  });
  for (Buffer<float>* field : {&ex, &ey, &hz}) field->download();

  const Fields expected = advanced(start, n, wave);
  host::raise(outcome.error, largest_difference(ex.host, expected.ex));
  host::raise(outcome.error, largest_difference(ey.host, expected.ey));
  host::raise(outcome.error, largest_difference(hz.host, expected.hz));
  outcome.allowed = 1e-6 * steps * repeats;
  outcome.work = 1e-9 * n * n * steps * repeats;
  outcome.unit = "Gpoint/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"fdtd-2d", 1024, 10, run};
