#include "corpus/reference.hpp"

namespace {

struct Columns {
  const double* data;
  long long m, n;
  double mean(long long j) const {
    double sum = 0;
    for (long long i = n - 1; i >= 0; --i) sum += data[i * m + j];
    return sum / double(n);
  }
};

}  // namespace

// About 60 pairs of columns of the original data, each centred on the way.
std::string corpus::reference(const Call& call) {
  const Columns columns{call.before<double>("data"), call.integer("m"), call.integer("n")};
  const long long m = columns.m, n = columns.n;
  const double* cov = call.after<double>("cov");
  for (long long pair = 0; pair < m * m; pair += m * m / 60 + 1) {
    const long long a = pair / m, b = pair % m;
    const double mean_a = columns.mean(a), mean_b = columns.mean(b);
    double sum = 0, scale = 0;
    for (long long i = 0; i < n; ++i) {
      const double term = (columns.data[i * m + a] - mean_a) * (columns.data[i * m + b] - mean_b);
      sum += term;
      scale += std::fabs(term);
    }
    std::string wrong = differs("cov", pair, cov[pair], sum / double(n - 1), scale / double(n - 1), 1e-11);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
