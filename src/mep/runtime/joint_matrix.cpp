// Dense matrices by kind. Those with a given condition number are U S V': U and V turn vectors by random
// signs and butterflies, (a, b) -> ((a + b), (a - b)) / sqrt 2, over all strides, twice; the singular values
// S fall evenly from 1 to 1 / cond. Rows are made independently, always in the same order of operations.
#include "joint.hpp"
#include "random.hpp"
#include "shapes.hpp"

namespace noctune {
namespace {

constexpr double half_root = 0.70710678118654752440;

double sign(std::uint64_t key, std::uint64_t i) {
  return ((draw(key, i / 64) >> (i % 64)) & 1) != 0 ? -1 : 1;
}

// Orthogonal to within rounding for any length; `back` is the transposed of it.
class Turn {
 public:
  Turn(std::uint64_t key, std::size_t length) : length_(length) {
    for (std::uint64_t pass = 0; pass < 2; ++pass)
      for (std::uint64_t i = 0; i < length; ++i) signs_.push_back(sign(key + pass, i));
  }
  void forth(double* x) const {
    for (std::size_t pass = 0; pass < 2; ++pass) {
      apply_signs(x, pass);
      for (std::size_t stride = 1; stride < length_; stride *= 2) butterflies(x, stride);
    }
  }
  void back(double* x) const {
    std::size_t largest = 1;
    while (largest < length_) largest *= 2;
    for (std::size_t pass = 2; pass-- > 0;) {
      for (std::size_t stride = largest; stride > 0; stride /= 2) butterflies(x, stride);
      apply_signs(x, pass);
    }
  }

 private:
  void apply_signs(double* x, std::size_t pass) const {
    for (std::size_t i = 0; i < length_; ++i) x[i] *= signs_[pass * length_ + i];
  }
  void butterflies(double* x, std::size_t stride) const {
    for (std::size_t start = 0; start + stride < length_; start += 2 * stride) {
      const std::size_t pairs = stride < length_ - start - stride ? stride : length_ - start - stride;
      for (std::size_t i = start; i < start + pairs; ++i) {
        const double a = x[i], b = x[i + stride];
        x[i] = (a + b) * half_root;
        x[i + stride] = (a - b) * half_root;
      }
    }
  }

  std::size_t length_;
  std::vector<double> signs_;
};

class MatrixMaker final : public JointMaker {
 public:
  explicit MatrixMaker(const MatrixShape& shape) : shape_(shape) {}

  // By lines: rows, or columns where the layout is by columns.
  void block(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const override {
    const bool turned = shape_.kind == MatrixKind::spd || shape_.kind == MatrixKind::well_conditioned ||
                        shape_.kind == MatrixKind::orthogonal;
    const std::uint64_t lines = number(shape_.by_column ? shape_.cols : shape_.rows), length = grain({});
    std::vector<double> line(length + lines);
    std::unique_ptr<Turns> turns;
    std::uint64_t key = 0;
    for (std::uint64_t at = first; at < first + count;) {
      const std::uint64_t which = at / length % lines, own = draw(wanted.values, at / length / lines);
      if (turned && (!turns || own != key)) turns = make_turns(own, lines, length);
      key = own;
      if (turned) turned_line(*turns, which, lines, length, line.data());
      for (std::uint64_t i = at % length; i < length && at < first + count; ++i, ++at)
        *out++ = turned ? line[i] : !shape_.by_column ? element(key, which, i) : element(key, i, which);
    }
  }
  std::size_t grain(const std::string&) const override {
    return static_cast<std::size_t>(shape_.by_column ? shape_.rows : shape_.cols);
  }
  bool varies(const std::string&) const override { return true; }

 private:
  static std::uint64_t number(std::int64_t value) { return static_cast<std::uint64_t>(value); }

  double uniform(std::uint64_t bits) const {
    return shape_.low + (shape_.high - shape_.low) * unit_interval(bits);
  }
  double element(std::uint64_t key, std::uint64_t row, std::uint64_t col) const {
    const std::uint64_t bits = draw(draw(key, row), col);
    const double n = static_cast<double>(shape_.cols), fraction = 2 * unit_interval(bits) - 1;
    switch (shape_.kind) {
      case MatrixKind::symmetric:
        return uniform(row < col ? bits : draw(draw(key, col), row));
      case MatrixKind::dominant:
        return row == col ? n : fraction;
      case MatrixKind::lower:
      case MatrixKind::upper:
        if (row == col) return 1 + unit_interval(bits);
        return (row > col) == (shape_.kind == MatrixKind::lower) ? fraction / n : 0;
      case MatrixKind::distances:
        if (row == col) return 0;
        return shape_.low +
               static_cast<double>(scaled(bits, static_cast<std::uint64_t>(shape_.high - shape_.low) + 1));
      default:
        return uniform(bits);
    }
  }

  double stretch(std::uint64_t i, std::uint64_t of) const {
    const double share = of < 2 ? 0 : static_cast<double>(i) / static_cast<double>(of - 1);
    return 1 - (1 - 1 / shape_.cond) * share;
  }
  // One line of U S V', where `across` turns vectors as long as there are lines and `along` those as long as
  // a line; `line` has room for both.
  struct Turns {
    Turn across, along;
  };
  // U has one key and V the other, whichever the lines are; for spd both are the same.
  std::unique_ptr<Turns> make_turns(std::uint64_t key, std::uint64_t lines, std::uint64_t length) const {
    const bool one = shape_.kind == MatrixKind::spd;
    const std::uint64_t across = shape_.by_column && !one ? 1 : 0, along = one ? 0 : 1 - across;
    return std::make_unique<Turns>(Turns{{draw(key, across), static_cast<std::size_t>(lines)},
                                         {draw(key, along), static_cast<std::size_t>(length)}});
  }
  void turned_line(const Turns& turns, std::uint64_t which, std::uint64_t lines, std::uint64_t length,
                   double* line) const {
    const std::uint64_t common = lines < length ? lines : length;
    for (std::uint64_t i = 0; i < lines + length; ++i) line[i] = 0;
    line[which] = 1;
    turns.across.back(line);
    for (std::uint64_t i = 0; i < common; ++i) line[i] *= stretch(i, common);
    for (std::uint64_t i = common; i < lines; ++i) line[i] = 0;
    turns.along.forth(line);
  }

  MatrixShape shape_;
};

}  // namespace

std::unique_ptr<JointMaker> make_matrix(const JointSet& set) {
  return std::make_unique<MatrixMaker>(shape_of<MatrixShape>(set.words));
}

}  // namespace noctune
