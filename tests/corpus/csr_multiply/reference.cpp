#include "corpus/reference.hpp"

// Every so many rows, from the last entry to the first.
std::string corpus::reference(const Call& call) {
  const long long rows = call.integer("nrows");
  const double beta = call.real("beta");
  const int *row_ptr = call.before<int>("row_ptr"), *col_idx = call.before<int>("col_idx");
  const double *values = call.before<double>("values"), *x = call.before<double>("x");
  const double *before = call.before<double>("y"), *after = call.after<double>("y");
  for (long long r = 0; r < rows; r += rows / 50000 + 1) {
    double want = beta * before[r], scale = std::fabs(want);
    for (long long e = row_ptr[r + 1] - 1LL; e >= row_ptr[r]; --e) {
      want += values[e] * x[col_idx[e]];
      scale += std::fabs(values[e] * x[col_idx[e]]);
    }
    std::string wrong = differs("y", r, after[r], want, scale, 1e-12);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
