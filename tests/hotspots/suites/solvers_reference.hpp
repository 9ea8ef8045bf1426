// What the grids and factorisations of PolyBench should come to, by other algorithms than the hotspots', in
// long double.
#pragma once

#include <cmath>
#include <vector>

#include "hotspots/numbers.hpp"

namespace noctune::reference {

// adi: in the basis of sines both directions of a step are diagonal, so that any number of steps is one
// factor.
inline Matrix heat(int steps, long double r, const Matrix& u) {
  const int n = u.rows;
  const long double angle = std::acos(-1.0L) / (n + 1);
  Matrix sines(n, n);
  for (int p = 0; p < n; ++p) {
    for (int i = 0; i < n; ++i)
      sines.at(p, i) = std::sqrt(2.0L / (n + 1)) * std::sin((p + 1) * (i + 1) * angle);
  }
  Matrix waves = sines * (u * sines);
  const auto factor = [&](int p) {
    const long double d = 2 - 2 * std::cos((p + 1) * angle);
    return (1 - r * d) / (1 + r * d);
  };
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q < n; ++q) waves.at(p, q) *= std::pow(factor(p) * factor(q), steps);
  }
  return sines * (waves * sines);
}

// The columns of `data` without their means.
inline Matrix centred(const Matrix& data, std::vector<long double>& mean) {
  mean.assign(data.cols, 0);
  Matrix rest = data;
  for (int i = 0; i < data.rows; ++i) {
    for (int j = 0; j < data.cols; ++j) mean[j] += data.at(i, j) / data.rows;
  }
  for (int i = 0; i < data.rows; ++i) {
    for (int j = 0; j < data.cols; ++j) rest.at(i, j) -= mean[j];
  }
  return rest;
}

// R of A = Q R, from the Cholesky factor of A^T A; Q from a triangular solve. A has independent columns.
inline void qr(const Matrix& A, Matrix& Q, Matrix& R) {
  const Matrix square = A.transposed() * A;
  for (int j = 0; j < A.cols; ++j) {
    for (int i = 0; i <= j; ++i) {
      long double sum = square.at(i, j);
      for (int p = 0; p < i; ++p) sum -= R.at(p, i) * R.at(p, j);
      R.at(i, j) = i == j ? std::sqrt(sum) : sum / R.at(i, i);
    }
  }
  for (int i = 0; i < A.rows; ++i) {
    for (int j = 0; j < A.cols; ++j) {
      long double sum = A.at(i, j);
      for (int p = 0; p < j; ++p) sum -= Q.at(i, p) * R.at(p, j);
      Q.at(i, j) = sum / R.at(j, j);
    }
  }
}

// A = L U as sums of products (Crout), each element finished at once. The diagonal of U, ones, is left out.
inline void crout(const Matrix& A, Matrix& L, Matrix& U) {
  const int n = A.rows;
  for (int k = 0; k < n; ++k) {
    for (int i = k; i < n; ++i) {
      L.at(i, k) = A.at(i, k);
      for (int p = 0; p < k; ++p) L.at(i, k) -= L.at(i, p) * U.at(p, k);
    }
    for (int j = k + 1; j < n; ++j) {
      long double sum = A.at(k, j);
      for (int p = 0; p < k; ++p) sum -= L.at(k, p) * U.at(p, j);
      U.at(k, j) = sum / L.at(k, k);
    }
  }
}

// One term of a stencil: the weight of the point that lies di, dj, dk away.
struct Tap {
  int di, dj, dk;
  long double weight;
};

// The stencil on an ni x nj x nk grid, one shifted copy of `from` after the other; the border is that of
// `to`.
inline std::vector<long double> stencil(int ni, int nj, int nk, const std::vector<Tap>& taps,
                                        const std::vector<long double>& from, std::vector<long double> to,
                                        bool flat = false) {
  const int edge = flat ? 0 : 1;  // of i: a flat grid has one plane and no border there
  const auto at = [&](int i, int j, int k) { return (static_cast<std::size_t>(i) * nj + j) * nk + k; };
  std::vector<long double> sum(from.size(), 0);
  for (const Tap& tap : taps) {
    for (int k = 1; k + 1 < nk; ++k) {
      for (int j = 1; j + 1 < nj; ++j) {
        for (int i = edge; i + edge < ni; ++i)
          sum[at(i, j, k)] += tap.weight * from[at(i + tap.di, j + tap.dj, k + tap.dk)];
      }
    }
  }
  for (int k = 1; k + 1 < nk; ++k) {
    for (int j = 1; j + 1 < nj; ++j) {
      for (int i = edge; i + edge < ni; ++i) to[at(i, j, k)] = sum[at(i, j, k)];
    }
  }
  return to;
}

// The wave on a staggered grid by its potential: with S the sum of all hz so far, ex and ey are what they
// were at the start less half of S's differences, so that hz alone is advanced.
struct Wave {
  Matrix ex, ey, hz;

  void advance(const std::vector<float>& source) {
    const int nx = hz.rows, ny = hz.cols;
    Matrix S(nx, ny), now_x = ex, now_y = ey;
    for (float drive : source) {
      S = S + hz;
      for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
          now_y.at(i, j) = i == 0 ? drive : ey.at(i, j) - (S.at(i, j) - S.at(i - 1, j)) / 2;
          now_x.at(i, j) = j == 0 ? ex.at(i, j) : ex.at(i, j) - (S.at(i, j) - S.at(i, j - 1)) / 2;
        }
      }
      for (int j = 0; j + 1 < ny; ++j) {
        for (int i = 0; i + 1 < nx; ++i) {
          const long double curl =
              now_x.at(i, j + 1) - now_x.at(i, j) + (now_y.at(i + 1, j) - now_y.at(i, j));
          hz.at(i, j) -= curl * 7 / 10;
        }
      }
    }
    ex = now_x;
    ey = now_y;
  }
};

}  // namespace noctune::reference
