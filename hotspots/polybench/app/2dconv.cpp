// An image that is filtered over and over, from one buffer into the other; its rim stays.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void conv2d(int ni, int nj, const float* A, float* B STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

// The filter in double, one weight after the other for the whole image.
std::vector<double> filtered(int n, const std::vector<double>& image) {
  const double weights[9] = {0.12, 0.17, -0.06, 0.21, 0.33, 0.09, -0.04, 0.11, 0.07};
  std::vector<double> next(image.size());
  for (int tap = 0; tap < 9; ++tap) {
    const long ahead = (tap / 3 - 1) * static_cast<long>(n) + tap % 3 - 1;
    for (long at = n + 1; at < static_cast<long>(image.size()) - n - 1; ++at)
      next[at] += weights[tap] * image[at + ahead];  // nonsense on the rim
  }
  for (int rim = 0; rim < n; ++rim) {
    for (const std::size_t at :
         {std::size_t(rim), image.size() - 1 - rim, std::size_t(rim) * n, std::size_t(rim) * n + n - 1})
      next[at] = image[at];
  }
  return next;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const auto image = varied<float>(static_cast<std::size_t>(n) * n, 1);
  Buffer<float> A(image), B(image);
  Buffer<float>* buffers[2] = {&A, &B};
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      conv2d(n, n, buffers[step % 2]->data(), buffers[(step + 1) % 2]->data() STREAM_ARG);
  });
  A.download();
  B.download();

  std::vector<double> expected(image.begin(), image.end());
  for (int step = 0; step < repeats; ++step) expected = filtered(n, expected);
  const std::vector<float>& got = buffers[repeats % 2]->host;
  for (std::size_t i = 0; i < got.size(); ++i) host::raise(outcome.error, std::fabs(got[i] - expected[i]));
  outcome.allowed = 1e-6 * repeats;
  outcome.work = 1e-9 * n * n * repeats;
  outcome.unit = "Gpoint/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"2dconv", 2048, 10, run};
