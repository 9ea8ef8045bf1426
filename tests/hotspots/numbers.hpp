// Inputs for kernel tests and how far a result may be from its reference.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace noctune {

// `elements` reproducible values in [low, high).
template <class T = double>
std::vector<T> uniform(std::size_t elements, std::uint32_t seed, double low = -1, double high = 1) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> any(low, high);
  std::vector<T> values(elements);
  for (T& v : values) v = static_cast<T>(any(generator));
  return values;
}

// What an output holds before the call, so that an element nobody writes shows.
template <class T = double>
std::vector<T> unwritten(std::size_t elements) {
  return std::vector<T>(elements, std::numeric_limits<T>::quiet_NaN());
}

// Every element within `depth` roundings of the largest reference value.
template <class T>
void expect_close(const std::vector<T>& got, const std::vector<long double>& reference, double depth) {
  ASSERT_EQ(got.size(), reference.size());
  long double largest = 0;
  for (long double r : reference) largest = std::max(largest, std::fabs(r));
  const long double allowed = std::numeric_limits<T>::epsilon() * depth * std::max(largest, 1e-3L);
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_LE(std::fabs(got[i] - reference[i]), allowed)
        << "element " << i << ": " << got[i];  // false for NaN
  }
}

// A dense matrix of long doubles for references written as a textbook would.
struct Matrix {
  int rows = 0, cols = 0;
  std::vector<long double> values;

  Matrix(int r, int c) : rows(r), cols(c), values(static_cast<std::size_t>(r) * c) {}
  template <class T>
  Matrix(int r, int c, const std::vector<T>& from) : rows(r), cols(c), values(from.begin(), from.end()) {}

  long double& at(int i, int j) { return values[static_cast<std::size_t>(i) * cols + j]; }
  long double at(int i, int j) const { return values[static_cast<std::size_t>(i) * cols + j]; }

  Matrix transposed() const {
    Matrix t(cols, rows);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) t.at(j, i) = at(i, j);
    }
    return t;
  }
};

// The product as a sum of outer products, one for every column of `a` and row of `b`.
inline Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix product(a.rows, b.cols);
  for (int p = 0; p < a.cols; ++p) {
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < b.cols; ++j) product.at(i, j) += a.at(i, p) * b.at(p, j);
    }
  }
  return product;
}

inline Matrix operator*(long double factor, Matrix a) {
  for (long double& v : a.values) v *= factor;
  return a;
}

inline Matrix operator+(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

}  // namespace noctune
