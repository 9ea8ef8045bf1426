// The rows of a sparse matrix, made from its shape and the structure key alone.
#pragma once

#include <algorithm>
#include <vector>

#include "chords.hpp"
#include "random.hpp"
#include "shapes.hpp"

namespace noctune {

class SparseRows {
 public:
  SparseRows(const SparseShape& shape, std::uint64_t key)
      : shape_(shape),
        key_(key),
        chords_(number(shape.rows), shape.symmetric ? number(shape.nnz_min - 1) / 2 : 0,
                shape.symmetric ? number(shape.nnz_max - 1) / 2 : 0, mix_bits(key)) {}

  std::uint64_t longest() const { return shape_.symmetric ? 1 + chords_.most() : number(shape_.nnz_max); }
  std::uint64_t length(std::uint64_t row) const {
    if (!shape_.symmetric) return csr_row_length(key_, row, number(shape_.nnz_min), number(shape_.nnz_max));
    std::uint64_t length = 1;
    chords_.neighbours(row, [&](std::uint64_t) { ++length; });
    return length;
  }
  std::uint64_t entries() const {
    if (shape_.symmetric) return number(shape_.rows) + 2 * chords_.joins();
    std::uint64_t sum = 0;
    for (std::uint64_t row = 0; row < number(shape_.rows); ++row) sum += length(row);
    return sum;
  }
  // The columns of a row whose first entry is the matrix's `first`, ascending.
  void columns(std::uint64_t row, std::uint64_t first, std::uint64_t length,
               std::vector<std::uint64_t>& out) const {
    out.clear();
    if (shape_.symmetric) {
      out.push_back(row);
      chords_.neighbours(row, [&](std::uint64_t other) { out.push_back(other); });
      std::sort(out.begin(), out.end());
      return;
    }
    const std::uint64_t key = mix_bits(key_), cols = number(shape_.cols);
    for (std::uint64_t j = 0; j < length; ++j) {
      const bool holds_diagonal =
          shape_.dominant && csr_stratum(j, length, cols) <= row && row < csr_stratum(j + 1, length, cols);
      out.push_back(holds_diagonal ? row : csr_column(draw(key, first + j), j, length, cols));
    }
  }

 private:
  static std::uint64_t number(std::int64_t value) {
    return value < 0 ? 0 : static_cast<std::uint64_t>(value);
  }

  SparseShape shape_;
  std::uint64_t key_;
  Chords chords_;
};

}  // namespace noctune
