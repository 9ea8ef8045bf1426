#include <vector>

#include "corpus/reference.hpp"

// Row by row: each row's dot product at once spreads over y.
std::string corpus::reference(const Call& call) {
  const long long nx = call.integer("nx"), ny = call.integer("ny");
  const float *A = call.before<float>("A"), *x = call.before<float>("x"), *got = call.after<float>("y");
  std::vector<double> y(ny), scale(ny);
  for (long long i = 0; i < nx; ++i) {
    const float* row = A + i * ny;
    double dot = 0, size = 0;
    for (long long j = 0; j < ny; ++j) {
      dot += double(row[j]) * x[j];
      size += std::fabs(double(row[j]) * x[j]);
    }
    for (long long j = 0; j < ny; ++j) {
      y[j] += dot * row[j];
      scale[j] += size * std::fabs(row[j]);
    }
  }
  for (long long j = 0; j < ny; ++j) {
    std::string wrong = differs("y", j, got[j], y[j], scale[j], 1e-5);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
