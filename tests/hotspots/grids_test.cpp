// jacobi-2d, fdtd-2d and conv2d, original and hand-tuned, against formulations that share no loop with them.
#include <tuple>

#include "handtuned/entries.hpp"
#include "hotspots/numbers.hpp"

namespace noctune {
namespace {

// One sweep by scattering: every point gives a fifth of itself to itself and its four neighbours.
void scatter_sweep(const Matrix& from, Matrix& to) {
  const int n = from.rows;
  Matrix received(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (auto [di, dj] : {std::pair{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}}) {
        if (i + di >= 0 && i + di < n && j + dj >= 0 && j + dj < n)
          received.at(i + di, j + dj) += from.at(i, j) / 5;
      }
    }
  }
  for (int i = 1; i + 1 < n; ++i) {
    for (int j = 1; j + 1 < n; ++j) to.at(i, j) = received.at(i, j);
  }
}

void check_jacobi(Jacobi2d* entry, int steps, int n) {
  SCOPED_TRACE(testing::Message() << "steps " << steps << ", n " << n);
  auto A = uniform(n * n, 1), B = uniform(n * n, 2);
  Matrix a(n, n, A), b(n, n, B);
  for (int t = 0; t < steps; ++t) {
    scatter_sweep(a, b);
    scatter_sweep(b, a);
  }
  entry(steps, n, A.data(), B.data());
  expect_close(A, a.values, 10 * steps);
  expect_close(B, b.values, 10 * steps);
}

TEST(Jacobi2d, original_agrees_with_scattering) {
  check_jacobi(original_jacobi_2d, 1, 3);
  check_jacobi(original_jacobi_2d, 2, 5);
  check_jacobi(original_jacobi_2d, 3, 131);
}

// Many steps on few rows make bands meet; wide bands take all sweeps at once.
TEST(Jacobi2d, hand_tuned_agrees_with_scattering) {
  for (auto [steps, n] :
       {std::pair{1, 1}, {1, 2}, {1, 3}, {2, 5}, {3, 66}, {3, 67}, {3, 131}, {20, 71}, {50, 91}, {10, 259}}) {
    check_jacobi(tuned_jacobi_2d, steps, n);
  }
}

// All threads a big node would bring, on a small grid: thin bands, little to skew.
TEST(Jacobi2d, hand_tuned_agrees_on_wide_rows_that_fill_the_cache) {
  check_jacobi(tuned_jacobi_2d, 2, 1021);
}

struct Wave {
  Matrix ex, ey, hz;
};

// Fluxes as differences of shifted copies, with the field outside the grid left out of the update.
void advance(Wave& w, long double drive) {
  const int nx = w.ex.rows, ny = w.ex.cols;
  const Wave old = w;
  for (int j = 0; j < ny; ++j) {
    w.ey.at(0, j) = drive;
    for (int i = 1; i < nx; ++i) w.ey.at(i, j) -= (old.hz.at(i, j) - old.hz.at(i - 1, j)) / 2;
  }
  for (int i = 0; i < nx; ++i) {
    for (int j = 1; j < ny; ++j) w.ex.at(i, j) -= (old.hz.at(i, j) - old.hz.at(i, j - 1)) / 2;
  }
  for (int j = 0; j + 1 < ny; ++j) {
    for (int i = 0; i + 1 < nx; ++i) {
      const long double curl = (w.ex.at(i, j + 1) - w.ex.at(i, j)) + (w.ey.at(i + 1, j) - w.ey.at(i, j));
      w.hz.at(i, j) -= curl * 7 / 10;
    }
  }
}

void check_fdtd(Fdtd2d* entry, int steps, int nx, int ny) {
  auto ex = uniform(nx * ny, 1), ey = uniform(nx * ny, 2), hz = uniform(nx * ny, 3);
  const auto source = uniform(steps, 4);
  Wave w{Matrix(nx, ny, ex), Matrix(nx, ny, ey), Matrix(nx, ny, hz)};
  for (int t = 0; t < steps; ++t) advance(w, source[t]);
  entry(steps, nx, ny, ex.data(), ey.data(), hz.data(), source.data());
  expect_close(ex, w.ex.values, 8 * steps);
  expect_close(ey, w.ey.values, 8 * steps);
  expect_close(hz, w.hz.values, 8 * steps);
}

TEST(Fdtd2d, original_agrees_with_shifted_copies) {
  check_fdtd(original_fdtd_2d, 1, 2, 2);
  check_fdtd(original_fdtd_2d, 2, 2, 5);
  check_fdtd(original_fdtd_2d, 7, 131, 97);
}

TEST(Fdtd2d, stays_bounded_over_many_steps) {
  const int n = 33, steps = 2000;
  auto ex = uniform(n * n, 1), ey = uniform(n * n, 2), hz = uniform(n * n, 3);
  const std::vector<double> source(steps, 0.0);
  original_fdtd_2d(steps, n, n, ex.data(), ey.data(), hz.data(), source.data());
  for (double v : hz) ASSERT_LT(std::fabs(v), 100.0);
}

// The sum over a padded copy of the image.
void check_conv2d(Conv2d* entry, int height, int width) {
  SCOPED_TRACE(testing::Message() << height << " x " << width);
  const auto image = uniform<float>(height * width, 1), weight = uniform<float>(25, 2);
  Matrix padded(height + 4, width + 4), expected(height, width);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) padded.at(y + 2, x + 2) = image[y * width + x];
  }
  for (int tap = 0; tap < 25; ++tap) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) expected.at(y, x) += weight[tap] * padded.at(y + tap / 5, x + tap % 5);
    }
  }
  auto out = unwritten<float>(height * width);
  entry(height, width, image.data(), weight.data(), out.data());
  expect_close(out, expected.values, 25);
}

TEST(Conv2d, original_agrees_with_a_padded_sum) {
  for (auto [h, w] : {std::pair{1, 1}, {3, 1}, {5, 6}, {131, 97}}) check_conv2d(original_conv2d, h, w);
}

TEST(Conv2d, hand_tuned_agrees_with_a_padded_sum) {
  for (auto [h, w] :
       {std::pair{1, 1}, {3, 1}, {1, 37}, {2, 19}, {4, 20}, {5, 21}, {131, 97}, {7, 36}, {93, 131}}) {
    check_conv2d(tuned_conv2d, h, w);
  }
}

}  // namespace
}  // namespace noctune
