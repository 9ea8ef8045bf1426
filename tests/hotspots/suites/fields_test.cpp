// Hotspots of applications on fields and particles against references that search nothing, scatter instead of
// gather, and take differences of differences; and that each mini-application holds its hotspot word for
// word.
#include "hotspots/suites/fields_reference.hpp"

#include <tuple>

#include "hotspots/suites/applications.hpp"
#include "hotspots/suites/versions.hpp"

#define SPMV_PARAMS \
  int rows, const int *row_ptr, const int *col, const double *val, const double *x, double *y
#define N_BODY_PARAMS                                                                                 \
  int n, int sources, float softening, const float *position, const float *source, const float *mass, \
      float *acceleration

SUITE_ENTRY(spmv, SPMV_PARAMS)
SUITE_ENTRY(cross_section, int lookups, const double* energy, const int* material, const int* mix_first,
            const int* nuclide, const double* density, const int* grid_first, const int* grid,
            const double* micro, double* sigma)
SUITE_ENTRY(stencil_halo, int nx, int ny, int nz, double cx, double cy, double cz, const double* from,
            double* to)
SUITE_ENTRY(n_body, N_BODY_PARAMS)

extern "C" void spmv_good(SPMV_PARAMS);
extern "C" void spmv_slow(SPMV_PARAMS);
extern "C" void spmv_wrong(SPMV_PARAMS);
extern "C" void n_body_good(N_BODY_PARAMS);
extern "C" void n_body_slow(N_BODY_PARAMS);
extern "C" void n_body_wrong(N_BODY_PARAMS);

namespace noctune {
namespace {

struct SpmvInput {
  SparseRows A;
  std::vector<double> x;

  SpmvInput(int rows, int longest)
      : A(sparse_rows(rows, rows, longest, 1)), x(uniform(static_cast<std::size_t>(rows), 2)) {}

  template <class Entry>
  std::vector<double> result_of(const Entry& entry) const {
    auto y = unwritten(x.size());
    entry(A.rows(), A.first.data(), A.col.data(), A.val.data(), x.data(), y.data());
    return y;
  }
};

TEST(SuiteSpmv, agrees_with_entries_scattered_backwards) {
  for (auto [rows, longest] : {std::pair{3, 2}, {257, 12}, {1037, 96}}) {
    SCOPED_TRACE(rows);
    const SpmvInput input(rows, longest);
    for_each_version(spmv, gpu_spmv, [&](auto entry) {
      expect_close(input.result_of(entry), times(input.A, input.x), longest);
    });
  }
}

// How far two results are apart, measured by the largest element.
template <class T>
double distance(const std::vector<T>& one, const std::vector<T>& other) {
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    apart = std::max<double>(apart, std::fabs(one[i] - other[i]));
    largest = std::max<double>(largest, std::fabs(one[i]));
  }
  return apart / largest;
}

TEST(SuiteSpmv, right_candidates_agree_and_the_wrong_one_does_not) {
  for (int rows : {5, 1037}) {
    SCOPED_TRACE(rows);
    const SpmvInput input(rows, 31);
    const auto expected = input.result_of(spmv);
    EXPECT_LT(distance(expected, input.result_of(spmv_good)), 1e-14);
    EXPECT_LT(distance(expected, input.result_of(spmv_slow)), 1e-14);
    EXPECT_GT(distance(expected, input.result_of(spmv_wrong)), 1e-3);
  }
}

TEST(SuiteCrossSection, agrees_with_sums_of_rises) {
  for (auto [lookups, nuclides, points, materials] :
       {std::tuple{5, 3, 4, 2}, {261, 11, 37, 5}, {1031, 29, 97, 7}}) {
    SCOPED_TRACE(lookups);
    const Library data = library(nuclides, points, materials, 1);
    auto energy = uniform(static_cast<std::size_t>(lookups), 2, 0, 1000);
    energy[0] = data.grid.front();  // on a point, and beyond both ends of every grid
    energy[1] = 10;
    energy[2] = 990;
    std::vector<int> material(energy.size());
    for (int i = 0; i < lookups; ++i) material[i] = (i * i + i / 3) % materials;
    const auto expected = macroscopic(data, energy, material);
    for_each_version(cross_section, gpu_cross_section, [&](auto entry) {
      auto sigma = unwritten(expected.size());
      entry(lookups, energy.data(), material.data(), data.mix_first.data(), data.nuclide.data(),
            data.density.data(), data.grid_first.data(), data.grid.data(), data.micro.data(), sigma.data());
      expect_close(sigma, expected, 3 * nuclides);
    });
  }
}

TEST(SuiteStencilHalo, agrees_with_differences_of_differences_and_keeps_the_halo) {
  const double c[3] = {0.125, 0.0625, 0.09375};
  for (auto [nx, ny, nz] : {std::tuple{3, 1, 2}, {37, 11, 7}, {65, 29, 23}}) {
    SCOPED_TRACE(testing::Message() << nx << " x " << ny << " x " << nz);
    Field u(nx, ny, nz, 2), halo(nx, ny, nz, 2);
    const auto from = uniform(u.values.size(), 1), before = uniform(u.values.size(), 2);
    u.values.assign(from.begin(), from.end());
    halo.values.assign(before.begin(), before.end());
    const auto expected = heat_step(u, c, halo);
    for_each_version(stencil_halo, gpu_stencil_halo, [&](auto entry) {
      auto to = before;
      entry(nx, ny, nz, c[0], c[1], c[2], from.data(), to.data());
      expect_close(to, expected, 16);
    });
  }
}

struct NBodyInput {
  int n, sources;
  std::vector<float> position, source, mass, before;

  NBodyInput(int bodies, int others)
      : n(bodies),
        sources(others),
        position(uniform<float>(3 * static_cast<std::size_t>(bodies), 1)),
        source(uniform<float>(3 * static_cast<std::size_t>(others), 2)),
        mass(uniform<float>(static_cast<std::size_t>(others), 3, 0.25, 1)),
        before(uniform<float>(3 * static_cast<std::size_t>(bodies), 4)) {
    std::copy_n(position.begin(), 3, source.begin());  // a body meets itself
  }

  template <class Entry>
  std::vector<float> result_of(const Entry& entry) const {
    auto acceleration = before;
    entry(n, sources, 0.125f, position.data(), source.data(), mass.data(), acceleration.data());
    return acceleration;
  }
};

TEST(SuiteNBody, agrees_with_a_source_at_a_time) {
  for (auto [n, sources] : {std::pair{3, 5}, {257, 301}, {1027, 515}}) {
    SCOPED_TRACE(testing::Message() << n << " bodies, " << sources << " sources");
    const NBodyInput input(n, sources);
    const auto expected = with_gravity(input.position, input.source, input.mass, 0.125f, input.before);
    for_each_version(n_body, gpu_n_body,
                     [&](auto entry) { expect_close(input.result_of(entry), expected, sources + 1); });
  }
}

TEST(SuiteNBody, right_candidates_agree_and_the_wrong_one_does_not) {
  for (auto [n, sources] : {std::pair{3, 5}, {257, 301}}) {
    SCOPED_TRACE(testing::Message() << n << " bodies, " << sources << " sources");
    const NBodyInput input(n, sources);
    const auto expected = input.result_of(n_body);
    EXPECT_LT(distance(expected, input.result_of(n_body_good)), 1e-5);
    EXPECT_LT(distance(expected, input.result_of(n_body_slow)), 1e-5);
    EXPECT_GT(distance(expected, input.result_of(n_body_wrong)), 1e-3);
  }
}

TEST(SuiteFieldApplications, hold_their_hotspots_word_for_word) {
  for (const char* name : {"spmv", "cross-section", "stencil-halo", "n-body"})
    expect_in_its_application(name);
}

}  // namespace
}  // namespace noctune
