// A volume that is filtered over and over, from one buffer into the other; its faces stay.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void conv3d(int ni, int nj, int nk, const float* A, float* B STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

struct Tap {
  int di, dj, dk;
  double weight;
};

constexpr Tap taps[] = {{0, 0, 0, 0.30},   {-1, 0, 0, 0.07},  {1, 0, 0, 0.09},  {0, -1, 0, 0.05},
                        {0, 1, 0, 0.11},   {0, 0, -1, 0.06},  {0, 0, 1, 0.08},  {-1, -1, -1, 0.02},
                        {-1, -1, 1, 0.04}, {-1, 1, -1, 0.01}, {-1, 1, 1, 0.05}, {1, -1, -1, 0.03},
                        {1, -1, 1, -0.02}, {1, 1, -1, 0.06},  {1, 1, 1, 0.05}};

bool inside(int n, long at) {
  const auto within = [n](long i) { return i > 0 && i < n - 1; };
  return within(at % n) && within(at / n % n) && within(at / n / n);
}

// The filter in double, one weight after the other for the whole volume.
std::vector<double> filtered(int n, const std::vector<double>& volume) {
  const long points = static_cast<long>(volume.size()), reach = static_cast<long>(n) * n + n + 1;
  std::vector<double> next(volume.size());
  for (const Tap& tap : taps) {
    const long ahead = (tap.di * static_cast<long>(n) + tap.dj) * n + tap.dk;
    for (long at = reach; at < points - reach; ++at)
      next[at] += tap.weight * volume[at + ahead];  // nonsense on the faces
  }
  for (long at = 0; at < points; ++at) {
    if (!inside(n, at)) next[at] = volume[at];
  }
  return next;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const auto volume = varied<float>(static_cast<std::size_t>(n) * n * n, 1);
  Buffer<float> A(volume), B(volume);
  Buffer<float>* buffers[2] = {&A, &B};
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      conv3d(n, n, n, buffers[step % 2]->data(), buffers[(step + 1) % 2]->data() STREAM_ARG);
  });
  A.download();
  B.download();

  std::vector<double> expected(volume.begin(), volume.end());
  for (int step = 0; step < repeats; ++step) expected = filtered(n, expected);
  const std::vector<float>& got = buffers[repeats % 2]->host;
  for (std::size_t i = 0; i < got.size(); ++i) host::raise(outcome.error, std::fabs(got[i] - expected[i]));
  outcome.allowed = 1e-6 * repeats;
  outcome.work = 1e-9 * n * n * n * repeats;
  outcome.unit = "Gpoint/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"3dconv", 160, 10, run};
