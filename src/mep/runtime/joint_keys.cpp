// Keys to sort, search and count, with segments and bins over them. Segments belong to the structure.
#include "joint.hpp"
#include "random.hpp"
#include "shapes.hpp"

namespace noctune {
namespace {

class KeysMaker final : public JointMaker {
 public:
  KeysMaker(const KeysShape& shape, std::uint64_t key) : shape_(shape), key_(key) {}

  void block(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const override {
    for (std::uint64_t i = first; i < first + count; ++i)
      *out++ = wanted.part == "keys"       ? static_cast<double>(shape_.low) + key(wanted.values, i)
               : wanted.part == "segments" ? static_cast<double>(start(i))
               : wanted.part == "bins"     ? static_cast<double>(shape_.low) + edge(i)
                                           : head(i);
  }
  bool varies(const std::string& part) const override { return part == "keys"; }
  bool is_label(const std::string&, std::uint64_t) const override { return true; }

 private:
  static std::uint64_t number(std::int64_t value) { return static_cast<std::uint64_t>(value); }
  std::uint64_t width() const { return number(shape_.high - shape_.low) + 1; }

  double key(std::uint64_t values, std::uint64_t i) const {
    const std::uint64_t n = number(shape_.n);
    switch (shape_.kind) {
      case KeysKind::random:
        return static_cast<double>(scaled(draw(values, i), width()));
      case KeysKind::unique:
        return static_cast<double>(permuted(values, width(), i));
      case KeysKind::few: {
        const std::uint64_t which = scaled(draw(values, i), number(shape_.distinct));
        return static_cast<double>(csr_stratum(which, number(shape_.distinct), width()));
      }
      default:
        break;
    }
    const std::uint64_t first = csr_stratum(i, n, width()), next = csr_stratum(i + 1, n, width());
    return static_cast<double>(first + (next > first ? scaled(draw(values, i), next - first) : 0));
  }
  // Segment s starts within the s-th of equal strata, so none is empty.
  std::uint64_t start(std::uint64_t s) const {
    if (s == 0 || s == number(shape_.segments)) return s == 0 ? 0 : number(shape_.n);
    return csr_column(draw(key_, s), s, number(shape_.segments), number(shape_.n));
  }
  double edge(std::uint64_t bin) const {
    return static_cast<double>(csr_stratum(bin, number(shape_.bins), width()));
  }
  double head(std::uint64_t i) const {
    const std::uint64_t segments = number(shape_.segments), n = number(shape_.n);
    std::uint64_t s = csr_stratum(i, n, segments);
    while (s + 1 < segments && csr_stratum(s + 1, segments, n) <= i) ++s;
    return start(s) == i ? 1 : 0;
  }

  KeysShape shape_;
  std::uint64_t key_;
};

}  // namespace

std::unique_ptr<JointMaker> make_keys(const JointSet& set, std::uint64_t structure_key) {
  return std::make_unique<KeysMaker>(shape_of<KeysShape>(set.words), structure_key);
}

}  // namespace noctune
