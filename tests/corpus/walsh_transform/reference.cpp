#include "corpus/reference.hpp"

// The definition, a sum over all elements with signs, for some of the coefficients.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n");
  const float *before = call.before<float>("data"), *after = call.after<float>("data");
  const long long samples = 8000000 / n + 2;
  for (long long k = n - 1; k >= 0; k -= n / samples + 1) {
    double sum = 0, squares = 0;
    for (long long i = 0; i < n; ++i) {
      sum += __builtin_parityll(static_cast<unsigned long long>(i & k)) != 0 ? -before[i] : before[i];
      squares += double(before[i]) * before[i];
    }
    std::string wrong = differs("data", k, after[k], sum, std::sqrt(squares), 1e-5);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
