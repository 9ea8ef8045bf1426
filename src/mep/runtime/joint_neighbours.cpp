// Neighbour lists by rows, by columns and packed, and cell lists of the same particles.
#include <algorithm>

#include "joint.hpp"
#include "lattice.hpp"

namespace noctune {
namespace {

class NeighbourMaker final : public JointMaker {
 public:
  NeighbourMaker(const NeighbourShape& shape, std::uint64_t key)
      : shape_(shape),
        lattice_(shape.lattice),
        table_(shape, key),
        order_(stream_key(key, 0)),
        offsets_(static_cast<std::size_t>(shape.lattice.n) + 1, 0) {
    for (std::size_t i = 0; i + 1 < offsets_.size(); ++i) {
      offsets_[i + 1] = offsets_[i];
      table_.neighbours(static_cast<std::int64_t>(i), [&](std::int64_t) { ++offsets_[i + 1]; });
    }
  }

  void block(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const override {
    if (wanted.part == "rows") return rows(first, count, out);
    if (wanted.part == "list") return list(first, count, out);
    for (std::uint64_t i = first; i < first + count; ++i) *out++ = single(wanted.part, i);
  }
  std::size_t grain(const std::string& part) const override {
    return part == "rows" ? static_cast<std::size_t>(shape_.most) : 1;
  }
  Transposed transposed(const std::string& part) const override {
    return part == "columns" ? Transposed{"rows", static_cast<std::size_t>(shape_.most)} : Transposed{};
  }

 private:
  // In random order: by distance the last ones would all be beyond the cutoff, and nobody would notice that a
  // version leaves them out.
  std::vector<std::int64_t> row(std::uint64_t particle) const {
    std::vector<std::int64_t> all;
    table_.neighbours(static_cast<std::int64_t>(particle), [&](std::int64_t other) { all.push_back(other); });
    const std::uint64_t key = draw(order_, particle);
    for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[scaled(draw(key, k), k)]);
    return all;
  }
  // Behind a row's end stands the particle itself: in range, and of no use to anyone.
  void rows(std::uint64_t first, std::size_t count, double* out) const {
    const std::uint64_t most = static_cast<std::uint64_t>(shape_.most);
    for (std::uint64_t at = first; at < first + count;) {
      const std::uint64_t particle = at / most;
      const std::vector<std::int64_t> others = row(particle);
      for (std::uint64_t k = at % most; k < most && at < first + count; ++k, ++at)
        *out++ = static_cast<double>(k < others.size() ? others[k] : static_cast<std::int64_t>(particle));
    }
  }
  void list(std::uint64_t first, std::size_t count, double* out) const {
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), first);
    std::uint64_t particle = static_cast<std::uint64_t>(after - offsets_.begin()) - 1;
    for (std::uint64_t at = first; at < first + count; ++particle) {
      const std::vector<std::int64_t> others = row(particle);
      for (; at < offsets_[particle + 1] && at < first + count; ++at)
        *out++ = static_cast<double>(others[at - offsets_[particle]]);
    }
  }

  // Cells of the cell list hold whole cells of the lattice, all equally many, so that the n-th particle of
  // one follows from its number.
  double single(const std::string& part, std::uint64_t i) const {
    if (part == "offsets") return static_cast<double>(offsets_[i]);
    if (part == "count") return static_cast<double>(offsets_[i + 1] - offsets_[i]);
    const std::int64_t each = per_cell(), index = static_cast<std::int64_t>(i);
    if (part == "cell_count") return static_cast<double>(each);
    if (part == "cells") return static_cast<double>(member(index / each, index % each));
    if (part == "head") return static_cast<double>(member(index, 0));
    const Place place = place_of(index);
    if (part == "cell_of") return static_cast<double>(place.cell);
    return static_cast<double>(place.rank + 1 < each ? member(place.cell, place.rank + 1) : -1);  // next
  }
  struct Place {
    std::int64_t cell, rank;
  };
  std::int64_t edge(int axis) const {
    const LatticeShape& l = shape_.lattice;
    return axis == 0   ? l.cells_x / shape_.cells_x
           : axis == 1 ? l.cells_y / shape_.cells_y
                       : l.cells_z / shape_.cells_z;
  }
  std::int64_t per_cell() const { return edge(0) * edge(1) * edge(2) * shape_.lattice.sites; }
  Place place_of(std::int64_t particle) const {
    std::int64_t in[3], of[3];
    for (int axis = 0; axis < 3; ++axis) {
      in[axis] = lattice_.cell(particle, axis) % edge(axis);
      of[axis] = lattice_.cell(particle, axis) / edge(axis);
    }
    return {(of[2] * shape_.cells_y + of[1]) * shape_.cells_x + of[0],
            ((in[2] * edge(1) + in[1]) * edge(0) + in[0]) * shape_.lattice.sites +
                particle % shape_.lattice.sites};
  }
  std::int64_t member(std::int64_t cell, std::int64_t rank) const {
    const LatticeShape& l = shape_.lattice;
    const std::int64_t site = rank % l.sites, inner = rank / l.sites;
    const std::int64_t x = cell % shape_.cells_x * edge(0) + inner % edge(0);
    const std::int64_t y = cell / shape_.cells_x % shape_.cells_y * edge(1) + inner / edge(0) % edge(1);
    const std::int64_t z = cell / shape_.cells_x / shape_.cells_y * edge(2) + inner / edge(0) / edge(1);
    return ((z * l.cells_y + y) * l.cells_x + x) * l.sites + site;
  }

  NeighbourShape shape_;
  Lattice lattice_;
  NeighbourTable table_;
  std::uint64_t order_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace

std::unique_ptr<JointMaker> make_neighbours(const JointSet& set, std::uint64_t structure_key) {
  return std::make_unique<NeighbourMaker>(shape_of<NeighbourShape>(set.words), structure_key);
}

}  // namespace noctune
