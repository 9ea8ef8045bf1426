// A grid of hexahedra or quadrilaterals as an unstructured mesh: who is where follows from the numbers alone.
#include "joint.hpp"
#include "random.hpp"
#include "shapes.hpp"

namespace noctune {
namespace {

class MeshMaker final : public JointMaker {
 public:
  MeshMaker(const MeshShape& shape, std::uint64_t key)
      : elements_{shape.nx, shape.ny, shape.nz > 0 ? shape.nz : 1},
        nodes_{shape.nx + 1, shape.ny + 1, shape.nz > 0 ? shape.nz + 1 : 1},
        dims_(shape.nz > 0 ? 3 : 2),
        permuted_(shape.permuted != 0),
        jitter_(shape.jitter),
        key_(key) {}

  void block(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const override {
    const std::uint64_t lanes = lanes_of(wanted.part);
    for (std::uint64_t i = first; i < first + count; ++i)
      *out++ = number(wanted, i / lanes, static_cast<int>(i % lanes));
  }
  bool varies(const std::string& part) const override { return is_coordinate(part); }
  bool is_label(const std::string& part, std::uint64_t) const override { return !is_coordinate(part); }

 private:
  struct Place {
    std::int64_t at[3];
  };
  static bool is_coordinate(const std::string& part) {
    return part == "x" || part == "y" || part == "z" || part == "xyz";
  }
  std::uint64_t lanes_of(const std::string& part) const {
    if (part == "nodes") return dims_ == 3 ? 8 : 4;
    if (part == "neighbours") return dims_ == 3 ? 6 : 4;
    return part == "xyz" ? static_cast<std::uint64_t>(dims_) : 1;
  }

  double number(const JointRequest& wanted, std::uint64_t item, int lane) const {
    if (wanted.part == "nodes") return corner(item, lane);
    if (wanted.part == "neighbours") return beyond(item, lane);
    if (wanted.part == "boundary") return on_boundary(place(item, nodes_, key_ + 1)) ? 1 : 0;
    return coordinate(item, wanted.part == "y" ? 1 : wanted.part == "z" ? 2 : lane, wanted.values);
  }

  static std::uint64_t total(const Place& grid) {
    return static_cast<std::uint64_t>(grid.at[0] * grid.at[1] * grid.at[2]);
  }
  Place place(std::uint64_t name, const Place& grid, std::uint64_t key) const {
    const auto index = static_cast<std::int64_t>(permuted_ ? unpermuted(key, total(grid), name) : name);
    return {{index % grid.at[0], index / grid.at[0] % grid.at[1], index / grid.at[0] / grid.at[1]}};
  }
  double name(const Place& place, const Place& grid, std::uint64_t key) const {
    const auto index =
        static_cast<std::uint64_t>((place.at[2] * grid.at[1] + place.at[1]) * grid.at[0] + place.at[0]);
    return static_cast<double>(permuted_ ? permuted(key, total(grid), index) : index);
  }

  // Around the bottom, then around the top.
  double corner(std::uint64_t element, int lane) const {
    Place node = place(element, elements_, key_);
    const int around = lane % 4;
    node.at[0] += around == 1 || around == 2;
    node.at[1] += around >= 2;
    node.at[2] += lane / 4;
    return name(node, nodes_, key_ + 1);
  }
  // Across the faces -x, +x, -y, +y, -z, +z.
  double beyond(std::uint64_t element, int face) const {
    Place other = place(element, elements_, key_);
    std::int64_t& moved = other.at[face / 2];
    moved += face % 2 == 0 ? -1 : 1;
    return moved < 0 || moved >= elements_.at[face / 2] ? -1 : name(other, elements_, key_);
  }
  bool on_boundary(const Place& node) const {
    for (int axis = 0; axis < dims_; ++axis)
      if (node.at[axis] == 0 || node.at[axis] + 1 == nodes_.at[axis]) return true;
    return false;
  }
  double coordinate(std::uint64_t node, int axis, std::uint64_t key) const {
    const Place where = place(node, nodes_, key_ + 1);
    const double straight = static_cast<double>(where.at[axis]);
    if (on_boundary(where)) return straight;
    return straight +
           jitter_ * (2 * unit_interval(draw(key, 3 * node + static_cast<std::uint64_t>(axis))) - 1);
  }

  Place elements_, nodes_;
  int dims_;
  bool permuted_;
  double jitter_;
  std::uint64_t key_;
};

}  // namespace

std::unique_ptr<JointMaker> make_mesh(const JointSet& set, std::uint64_t structure_key) {
  return std::make_unique<MeshMaker>(shape_of<MeshShape>(set.words), structure_key);
}

}  // namespace noctune
