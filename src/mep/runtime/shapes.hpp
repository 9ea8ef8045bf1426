// Data sets as both sides know them: Noctune works out the counts, the driver makes the contents. Members are
// eight bytes each, so that a shape travels in the command file as words.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace noctune {

enum class MatrixKind : std::int64_t {
  general,
  symmetric,
  spd,
  dominant,
  well_conditioned,
  orthogonal,
  lower,
  upper,
  distances
};

struct MatrixShape {
  std::int64_t rows = 0, cols = 0, batch = 1;
  MatrixKind kind = MatrixKind::general;
  std::int64_t by_column = 0;
  double cond = 1, low = -1, high = 1;
};

struct SparseShape {
  std::int64_t rows = 0, cols = 0, nnz_min = 0, nnz_max = 0;
  std::int64_t symmetric = 0, dominant = 0;
  std::int64_t width = 0, ell_by_row = 0, padding = 0;
  double low = -1, high = 1;
};

enum class Packing : std::int64_t { xyz, type, charge, mass };

// Cells of edge `a` along each axis, `sites` particles in each; n may cut the last ones off.
struct LatticeShape {
  std::int64_t sites = 4, cells_x = 0, cells_y = 0, cells_z = 0, n = 0;
  std::int64_t types = 1, first_type = 0;
  Packing packing = Packing::xyz;
  double a = 1, jitter = 0;  // jitter: in units of a, along each axis
};

// Distances are squared, in units of (a/2)^2: up to `certain` every pair is listed, up to `farthest` some.
struct NeighbourShape {
  LatticeShape lattice;
  std::int64_t half = 0, certain = 0, farthest = 0, most = 0;
  std::int64_t cells_x = 1, cells_y = 1, cells_z = 1;
};

struct GraphShape {
  std::int64_t nodes = 0, degree_min = 0, degree_max = 0, undirected = 0;
  std::int64_t low = 1, high = 100;  // weights
};

// Hexahedra, or quadrilaterals where nz is 0.
struct MeshShape {
  std::int64_t nx = 1, ny = 1, nz = 1, permuted = 1;
  double jitter = 0;
};

enum class KeysKind : std::int64_t { random, sorted, unique, sorted_unique, few };

struct KeysShape {
  std::int64_t n = 0;
  KeysKind kind = KeysKind::random;
  std::int64_t low = 0, high = 0, distinct = 1, segments = 1, bins = 1;
};

template <class Shape>
std::vector<std::uint64_t> words_of(const Shape& shape) {
  static_assert(std::is_trivially_copyable_v<Shape> && sizeof(Shape) % 8 == 0);
  std::vector<std::uint64_t> words(sizeof shape / 8);
  std::memcpy(words.data(), &shape, sizeof shape);
  return words;
}

// Words that are missing leave the defaults; the command file is ours, so none are.
template <class Shape>
Shape shape_of(const std::vector<std::uint64_t>& words) {
  Shape shape;
  if (words.size() * 8 == sizeof shape) std::memcpy(static_cast<void*>(&shape), words.data(), sizeof shape);
  return shape;
}

}  // namespace noctune
