#include <vector>

#include "corpus/reference.hpp"

// (A B) C by rows: at most six rows of D, each as (a row of A times B) times C.
std::string corpus::reference(const Call& call) {
  const long long ni = call.integer("ni"), nj = call.integer("nj"), nk = call.integer("nk");
  const long long nl = call.integer("nl");
  const double alpha = call.real("alpha"), beta = call.real("beta");
  const float *A = call.before<float>("A"), *B = call.before<float>("B"), *C = call.before<float>("C");
  const float *before = call.before<float>("D"), *after = call.after<float>("D");
  for (long long i = 0; i < ni; i += ni / 6 + 1) {
    std::vector<double> row(nj), size(nj), out(nl), scale(nl);
    for (long long k = 0; k < nk; ++k)
      for (long long j = 0; j < nj; ++j) {
        const double term = alpha * A[i * nk + k] * B[k * nj + j];
        row[j] += term;
        size[j] += std::fabs(term);
      }
    for (long long j = 0; j < nj; ++j)
      for (long long l = 0; l < nl; ++l) {
        out[l] += row[j] * C[j * nl + l];
        scale[l] += size[j] * std::fabs(C[j * nl + l]);
      }
    for (long long l = 0; l < nl; ++l) {
      const double start = beta * before[i * nl + l];
      std::string wrong =
          differs("D", i * nl + l, after[i * nl + l], start + out[l], scale[l] + std::fabs(start), 1e-5);
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}
