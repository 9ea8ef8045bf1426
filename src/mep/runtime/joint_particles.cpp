#include "joint.hpp"
#include "lattice.hpp"

namespace noctune {
namespace {

class ParticleMaker final : public JointMaker {
 public:
  ParticleMaker(const LatticeShape& shape, std::uint64_t key) : shape_(shape), lattice_(shape), key_(key) {}

  void block(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const override {
    const std::uint64_t lanes = lanes_of(wanted.part);
    for (std::uint64_t i = first; i < first + count; ++i)
      *out++ = number(wanted, static_cast<std::int64_t>(i / lanes), static_cast<int>(i % lanes));
  }
  bool varies(const std::string& part) const override { return part != "type"; }
  bool is_label(const std::string& part, std::uint64_t i) const override {
    return part == "type" || (part == "pack" && shape_.packing == Packing::type && i % 4 == 3);
  }

 private:
  std::uint64_t lanes_of(const std::string& part) const {
    if (part == "pack") return shape_.packing == Packing::xyz ? 3 : 4;
    return part == "xyz" ? 3 : 1;
  }
  double number(const JointRequest& wanted, std::int64_t particle, int lane) const {
    const std::string& part = wanted.part;
    if (part == "type" || (lane == 3 && shape_.packing == Packing::type)) return type(particle);
    if (part == "charge" || (lane == 3 && shape_.packing == Packing::charge))
      return charge(particle, draw(wanted.values, 1));
    if (part == "mass" || lane == 3)
      return 0.5 + unit_interval(draw(draw(wanted.values, 2), static_cast<std::uint64_t>(particle)));
    return lattice_.position(particle, part == "y" ? 1 : part == "z" ? 2 : lane, wanted.values);
  }
  double type(std::int64_t particle) const {
    const std::uint64_t bits = draw(key_, static_cast<std::uint64_t>(particle));
    return static_cast<double>(shape_.first_type) +
           static_cast<double>(scaled(bits, static_cast<std::uint64_t>(shape_.types)));
  }
  // Pairs of particles cancel; one without a partner has no charge.
  double charge(std::int64_t particle, std::uint64_t key) const {
    if (particle % 2 == 0 && particle + 1 == shape_.n) return 0;
    const double size = 0.125 + 0.875 * unit_interval(draw(key, static_cast<std::uint64_t>(particle / 2)));
    return particle % 2 == 0 ? size : -size;
  }

  LatticeShape shape_;
  Lattice lattice_;
  std::uint64_t key_;
};

}  // namespace

std::unique_ptr<JointMaker> make_particles(const JointSet& set, std::uint64_t structure_key) {
  return std::make_unique<ParticleMaker>(shape_of<LatticeShape>(set.words), structure_key);
}

}  // namespace noctune
