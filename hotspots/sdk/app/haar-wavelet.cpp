// Scales in a recording: the wavelet transform of a window that slides by 64 values each step. Sizes are
// rounded down to a power of two.
#include <cmath>

#include "device.hpp"
#include "powers.hpp"
#include "program.hpp"

extern "C" void haar_wavelet(int n, const float* signal, float* approximations,
                             float* coefficients STREAM_PARAM);

namespace {

using host::Buffer;

constexpr long slide = 64;

// The largest distance of coefficients from their definition: differences between the sums over the halves of
// each block, from running sums in double.
double largest_error(const float* window, const std::vector<float>& coefficients) {
  const std::size_t n = coefficients.size();
  std::vector<double> until(n + 1);
  for (std::size_t i = 0; i < n; ++i) until[i + 1] = until[i] + window[i];
  double error = std::fabs(coefficients[0] - until[n] / std::sqrt(static_cast<double>(n)));
  for (std::size_t at = 1, blocks = 1; at < n; ++at) {
    if (at == 2 * blocks) blocks *= 2;
    const std::size_t length = n / blocks, first = (at - blocks) * length;
    const double difference = 2 * until[first + length / 2] - until[first] - until[first + length];
    host::raise(error, std::fabs(coefficients[at] - difference / std::sqrt(static_cast<double>(length))));
  }
  return error;
}

host::Outcome run(long size, int repeats) {
  const long n = sdk::power_of_two(size);
  Buffer<float> recording(host::varied<float>(n + slide * repeats, 1)), approximations(n), coefficients(n);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      haar_wavelet(static_cast<int>(n), recording.data() + slide * step, approximations.data(),
                   coefficients.data() STREAM_ARG);
  });
  coefficients.download();

  outcome.error = largest_error(recording.host.data() + slide * (repeats - 1), coefficients.host);
  outcome.allowed = 1e-6 * (1 + sdk::log2_of(n));  // a few roundings of numbers below 8 in each level
  outcome.work = 8e-9 * static_cast<double>(n) * repeats;
  outcome.unit = "GB/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"haar-wavelet", 4194304, 20, run};
