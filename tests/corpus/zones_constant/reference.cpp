#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long n = call.integer("ncell");
  const unsigned* packed = call.before<unsigned>("packed");
  const Numbers &drive = call.was("drive"), &field = call.was("field"), &gain = call.was("gain");
  const double kept = call.takes_number("decay") ? call.number("decay") : call.was("decay")[0];
  for (long long i = 0; i < n; i += stride(n)) {
    const double target = gain[packed[i] % 4] * drive[i];
    const double scale = std::fabs(kept * field[i]) + (1 + std::fabs(kept)) * std::fabs(target);
    const std::string why =
        differs("field", i, call.now("field")[i], target + kept * (field[i] - target), scale, 1e-14);
    if (!why.empty()) return why;
  }
  return {};
}
