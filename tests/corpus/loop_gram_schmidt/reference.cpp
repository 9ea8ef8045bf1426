#include <algorithm>

#include "corpus/reference.hpp"

namespace {

struct Factors {
  long long ni, nj;
  const double *q, *r;
  double dot(long long a, long long b) const {  // of two columns of Q
    double sum = 0;
    for (long long i = 0; i < ni; ++i) sum += q[i * nj + a] * q[i * nj + b];
    return sum;
  }
  double product(long long i, long long j) const {
    double sum = 0;
    for (long long k = 0; k <= j; ++k) sum += q[i * nj + k] * r[k * nj + j];
    return sum;
  }
};

}  // namespace

// Q R must be A, the columns of Q orthonormal, the diagonal of R positive: that makes them unique.
std::string corpus::reference(const Call& call) {
  const Factors f{call.integer("ni"), call.integer("nj"), call.after<double>("Q"), call.after<double>("R")};
  const double* A = call.before<double>("A");
  for (long long a = 0; a < f.nj; a += f.nj / 40 + 1) {
    if (!(f.r[a * f.nj + a] > 0)) return "R has a diagonal element that is not positive";
    for (long long b = 0; b <= a; b += f.nj / 40 + 1) {
      std::string wrong = differs("(Q^T Q)", a * f.nj + b, f.dot(a, b), a == b, 1, 1e-8);
      if (!wrong.empty()) return wrong;
    }
    for (long long i = 0; i < f.ni; i += f.ni / 40 + 1) {
      double size = 0;
      for (long long k = 0; k <= a; ++k) size = std::max(size, std::fabs(f.r[k * f.nj + a]));
      std::string wrong = differs("(Q R)", i * f.nj + a, f.product(i, a), A[i * f.nj + a], size, 1e-11);
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}
