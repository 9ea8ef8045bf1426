// CSR, and the COO and ELL forms of the same entries.
#include "joint.hpp"
#include "sparse.hpp"

namespace noctune {
namespace {

class SparseMaker final : public JointMaker {
 public:
  SparseMaker(const SparseShape& shape, std::uint64_t key)
      : shape_(shape), rows_(shape, key), offsets_(static_cast<std::size_t>(shape.rows) + 1, 0) {
    for (std::size_t row = 0; row + 1 < offsets_.size(); ++row)
      offsets_[row + 1] = offsets_[row] + rows_.length(row);
  }

  void block(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const override {
    if (wanted.part == "row_ptr" || wanted.part == "length") {
      const bool starts = wanted.part == "row_ptr";
      for (std::uint64_t i = first; i < first + count; ++i)
        *out++ = static_cast<double>(starts ? offsets_[i] : length(i));
    } else if (is_ell(wanted.part)) {
      ell(wanted, first, count, out);
    } else {
      entries(wanted, first, count, out);
    }
  }
  std::size_t grain(const std::string& part) const override {
    return is_ell(part) ? static_cast<std::size_t>(shape_.width) : 1;
  }
  Transposed transposed(const std::string& part) const override {
    if (shape_.ell_by_row) return {};
    if (part == "ell_col") return {"ell_col by rows", static_cast<std::size_t>(shape_.width)};
    if (part == "ell_val") return {"ell_val by rows", static_cast<std::size_t>(shape_.width)};
    return {};
  }
  bool varies(const std::string& part) const override { return part == "val" || part == "ell_val"; }

 private:
  std::uint64_t length(std::uint64_t row) const { return offsets_[row + 1] - offsets_[row]; }
  std::uint64_t row_of(std::uint64_t entry) const {
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), entry);
    return static_cast<std::uint64_t>(after - offsets_.begin()) - 1;
  }

  // The value of an entry. With a symmetric pattern dominant values are symmetric as well.
  double value(std::uint64_t key, std::uint64_t row, std::uint64_t col, std::uint64_t entry) const {
    if (!shape_.dominant) return shape_.low + (shape_.high - shape_.low) * unit_interval(draw(key, entry));
    if (row == col) return static_cast<double>(shape_.width);
    const std::uint64_t pair = draw(draw(key, row < col ? row : col), row < col ? col : row);
    return 2 * unit_interval(shape_.symmetric ? pair : draw(key, entry)) - 1;
  }

  void entries(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const {
    std::vector<std::uint64_t> columns;
    std::uint64_t row = row_of(first);
    for (std::uint64_t entry = first; entry < first + count; ++row) {
      rows_.columns(row, offsets_[row], length(row), columns);
      for (; entry < offsets_[row + 1] && entry < first + count; ++entry) {
        const std::uint64_t col = columns[entry - offsets_[row]];
        *out++ = wanted.part == "col"   ? static_cast<double>(col)
                 : wanted.part == "row" ? static_cast<double>(row)
                                        : value(wanted.values, row, col, entry);
      }
    }
  }

  static bool is_ell(const std::string& part) { return part.compare(0, 4, "ell_") == 0; }
  // By rows, each padded to the same width.
  void ell(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const {
    const std::uint64_t width = static_cast<std::uint64_t>(shape_.width);
    const bool index = wanted.part.compare(0, 7, "ell_col") == 0;
    std::vector<std::uint64_t> columns;
    std::uint64_t known = offsets_.size();
    for (std::uint64_t i = first; i < first + count; ++i) {
      const std::uint64_t row = i / width, k = i % width;
      if (k >= length(row)) {
        *out++ = index ? static_cast<double>(shape_.padding) : 0;
        continue;
      }
      if (row != known) rows_.columns(known = row, offsets_[row], length(row), columns);
      *out++ =
          index ? static_cast<double>(columns[k]) : value(wanted.values, row, columns[k], offsets_[row] + k);
    }
  }

  SparseShape shape_;
  SparseRows rows_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace

std::unique_ptr<JointMaker> make_sparse(const JointSet& set, std::uint64_t structure_key) {
  return std::make_unique<SparseMaker>(shape_of<SparseShape>(set.words), structure_key);
}

}  // namespace noctune
