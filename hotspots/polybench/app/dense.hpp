// Dense matrices for the host programs, and products of them with vectors in double for the self-checks.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "program.hpp"

namespace host {

using Vector = std::vector<double>;

// n x n with entries of variance gain^2 / n: a product with it changes a vector's length by about `gain`, so
// that products can be repeated.
inline std::vector<float> square(std::size_t n, std::uint64_t seed, double gain = 1) {
  const double most = gain * std::sqrt(3.0 / static_cast<double>(n));
  return varied<float>(n * n, seed, -most, most);
}

// Entries 1 and -1. M r tells nearly every wrong M from a right one, as Freivalds found.
inline Vector signs(std::size_t n, std::uint64_t seed) {
  Vector r = varied<double>(n, seed);
  for (double& v : r) v = v < 0 ? -1 : 1;
  return r;
}

// M x, where M has as many columns as x has elements.
inline Vector product(const std::vector<float>& M, const Vector& x) {
  Vector y(M.size() / x.size());
  const float* row = M.data();
  for (double& sum : y) {
    for (double v : x) sum += v * *row++;
  }
  return y;
}

// M^T x, where M has as many rows as x has elements.
inline Vector transposed_product(const std::vector<float>& M, const Vector& x) {
  Vector y(M.size() / x.size());
  const float* row = M.data();
  for (double v : x) {
    for (double& sum : y) sum += v * *row++;
  }
  return y;
}

inline Vector widened(const std::vector<float>& values) {
  return Vector(values.begin(), values.end());
}

// a x + b y.
inline Vector combined(double a, const Vector& x, double b, const Vector& y) {
  Vector sum(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] = a * x[i] + b * y[i];
  return sum;
}

// Takes into `error` how far `got` is off, as a part of the largest expected element.
template <class T>
void raise_by_difference(double& error, const std::vector<T>& got, const Vector& expected) {
  double largest = 0;
  for (double v : expected) largest = std::fmax(largest, std::fabs(v));
  for (std::size_t i = 0; i < expected.size(); ++i) raise(error, std::fabs(got[i] - expected[i]) / largest);
}

// For sums of n terms of either sign in float, as a part of the largest result.
inline double allowed_for_sums(double n) {
  return 1e-6 * std::sqrt(n) + 1e-5;
}

}  // namespace host
