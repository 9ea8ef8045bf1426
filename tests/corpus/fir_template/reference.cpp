#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long n = call.integer("nout"), taps = 24;
  const Numbers &signal = call.was("signal"), &window = call.was("window");
  for (long long i = 0; i < n; i += stride(n)) {
    double want = 0, scale = 0;
    for (long long k = taps - 1; k >= 0; --k) {
      want += window[k] * signal[i + k];
      scale += std::fabs(window[k] * signal[i + k]);
    }
    const std::string why =
        differs("filtered", i, call.now("filtered")[i], want, scale, 32 * call.now("filtered").epsilon());
    if (!why.empty()) return why;
  }
  return {};
}
