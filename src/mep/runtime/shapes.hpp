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
