// Kernels of a few lines, from their text to the elements and roles of their buffers.
#include "mep/completion/extents.hpp"

#include <gtest/gtest.h>

#include "mep/completion/loop_ranges.hpp"
#include "mep/completion/roles.hpp"
#include "mep/reading/read_source.hpp"

namespace noctune {
namespace {

class Kernel {
 public:
  explicit Kernel(const std::string& source, std::vector<std::string> block = {},
                  std::vector<std::string> grid = {})
      : source_(source), facts_(read_source(source_)) {
    for (SourceFunction& one : facts_.functions) extend_to_bodies(one.loops, source_);
    KernelUse use;
    use.function = &facts_.functions.back();
    use.block = std::move(block);
    use.grid = std::move(grid);
    uses_.push_back(use);
    accesses = collect_accesses(facts_, source_, uses_, {});
  }

  std::string extent(const std::string& buffer) const {
    const BufferExtent out = extent_of(buffer, accesses, {});
    return out.count ? out.count->text() : "unknown";
  }
  Role role(const std::string& buffer) const { return role_of(buffer, accesses).role; }

 private:
  std::string source_;
  SourceFacts facts_;
  std::vector<KernelUse> uses_;

 public:
  ArrayAccesses accesses;
};

TEST(Extents, FollowLoops) {
  const Kernel kernel(R"(void f(int n, int m, const double* a, double* y) {
    for (int i = 0; i < n; ++i) {
      y[i] = 0;
      for (int j = 0; j < m; ++j) y[i] += a[i * m + j];
    }
  })");
  EXPECT_EQ(kernel.extent("a"), "m*n");
  EXPECT_EQ(kernel.extent("y"), "n");
  EXPECT_EQ(kernel.role("a"), Role::in);
  EXPECT_EQ(kernel.role("y"), Role::out);
}

TEST(Extents, FollowTriangles) {
  const Kernel kernel(R"(void f(int n, double* l) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) l[i * n + j] *= 2;
  })");
  EXPECT_EQ(kernel.extent("l"), "n*n");
  EXPECT_EQ(kernel.role("l"), Role::inout);
}

TEST(Extents, FollowGuardsOfThreads) {
  const Kernel kernel(R"(__global__ void f(int nx, int ny, const float* in, float* out) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < ny - 1 && j > 0 && j < nx - 1)
      out[i * nx + j] = in[(i + 1) * nx + j - 1] + in[(i - 1) * nx + j + 1];
  })");
  EXPECT_EQ(kernel.extent("in"), "nx*ny-2");
  EXPECT_EQ(*whole_grid(extent_of("out", kernel.accesses, {}).count.value()),
            Polynomial::of("nx") * Polynomial::of("ny"));
}

TEST(Extents, FollowReturnsBeforeTheWork) {
  const Kernel kernel(R"(__global__ void f(unsigned n, double* x) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    x[2 * i + 1] = x[2 * i];
  })");
  EXPECT_EQ(kernel.extent("x"), "2*n");
}

TEST(Extents, FollowStridesOverTheGrid) {
  const Kernel kernel(R"(__global__ void f(int n, int* x) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] = i;
  })");
  EXPECT_EQ(kernel.extent("x"), "n");
}

TEST(Extents, TakeUnguardedThreadsFromTheLaunch) {
  const Kernel kernel("__global__ void f(float* x) { x[blockIdx.x * 64 + threadIdx.x] = 1; }", {"64"},
                      {"n / 64"});
  EXPECT_EQ(kernel.extent("x"), "n");
}

TEST(Extents, TakeFlatThreadsApart) {
  const Kernel kernel(R"(__global__ void f(int n, int m, float* x, float* row) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n * m) return;
    int i = t / m, j = t % m;
    x[i * m + j] = row[i];
  })");
  EXPECT_EQ(kernel.extent("x"), "m*n");
  EXPECT_EQ(kernel.extent("row"), "n");
}

TEST(Extents, FollowTilesAndSayWhatMustDivide) {
  const Kernel kernel(R"(void f(int n, float* x) {
    for (int i = 0; i < n; i += 4)
      for (int k = 0; k < 4; ++k) x[i + k] = 0;
  })");
  EXPECT_EQ(kernel.extent("x"), "n");
  EXPECT_EQ(kernel.accesses.divisors.at("n").count(4), 1U);
}

TEST(Extents, FollowButterflies) {
  const Kernel kernel(R"(void f(float* x, int n, int d) {
    for (int t = 0; t < n / 2; ++t) {
      int pair = (t / d) * 2 * d + t % d;
      x[pair] += x[pair + d];
    }
  })");
  EXPECT_EQ(kernel.extent("x"), "n");
  EXPECT_EQ(kernel.accesses.powers_of_two.count("n"), 1U);
}

TEST(Extents, FollowRowsBehindAnAlias) {
  const Kernel kernel(R"(void f(int n, int m, const float* in, float* out) {
    for (int y = 0; y < n; ++y) {
      const float* row = in + y * m;
      for (int x = 0; x < m; ++x) {
        int from = x - 1;
        if (from < 0) from = 0;
        out[y * m + x] = row[from];
      }
    }
  })");
  EXPECT_EQ(kernel.extent("in"), "m*n");
}

TEST(Extents, NameWhatContentsDecide) {
  const Kernel kernel(R"(void f(int n, const int* idx, const double* a, double* y) {
    for (int i = 0; i < n; ++i) y[i] = a[idx[i]];
  })");
  EXPECT_EQ(kernel.extent("a"), "unknown");
  EXPECT_EQ(extent_of("a", kernel.accesses, {{"idx!max", Polynomial::of("m") - 1}}).count->text(), "m");
}

TEST(Extents, RoundPitchedRowsUp) {
  const Kernel kernel(R"(void f(int n, int m, int ld, double* a) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) a[i * ld + j] = 1;
  })");
  const PitchedExtent rows = whole_rows(*extent_of("a", kernel.accesses, {}).count);
  EXPECT_EQ(rows.pitch, "ld");
  EXPECT_EQ(rows.count.text(), "ld*n");
  EXPECT_EQ(rows.width.text(), "m");
}

TEST(Roles, ReadBeforeTheyAreWrittenInOneStatement) {
  const Kernel kernel("void f(int n, double* v, double b) { for (int i = 0; i < n; ++i) v[i] = b * v[i]; }");
  EXPECT_EQ(kernel.role("v"), Role::inout);
}

TEST(Roles, CountAtomics) {
  const Kernel kernel(R"(__global__ void f(int n, const int* x, int* sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
  })");
  EXPECT_EQ(kernel.role("sum"), Role::inout);
  EXPECT_TRUE(role_of("sum", kernel.accesses).counts);
  EXPECT_EQ(kernel.extent("sum"), "1");
}

TEST(Roles, SayThatABorderStays) {
  const Kernel kernel(
      "void f(int n, const float* a, float* b) { for (int i = 1; i < n; ++i) b[i] = a[i - 1]; }");
  const BufferRole role = role_of("b", kernel.accesses);
  EXPECT_EQ(role.role, Role::out);
  EXPECT_TRUE(role.keep_unwritten);
}

}  // namespace
}  // namespace noctune
