// Particles on a lattice and who their neighbours are: from the lattice's own distances, so that a list holds
// for every jitter. Pairs up to one distance are always listed; those of the shells up to the next, which
// jitter never brings into the cutoff, are thrown for each pair, so that rows differ in length.
#pragma once

#include <cstdint>
#include <vector>

#include "random.hpp"
#include "shapes.hpp"

namespace noctune {

class Lattice {
 public:
  explicit Lattice(const LatticeShape& shape) : shape_(shape) {}

  // Of a site within its cell, in half edges: 0 or 1 along each axis.
  static std::int64_t half_edge(std::int64_t site, int axis) {
    static constexpr std::int64_t fcc[4][3] = {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
    return fcc[site][axis];
  }
  std::int64_t corner(std::int64_t site, int axis) const {
    return shape_.sites == 2 ? site : half_edge(site, axis);
  }
  // The cell of a particle along an axis.
  std::int64_t cell(std::int64_t particle, int axis) const {
    const std::int64_t cell = particle / shape_.sites;
    if (axis == 0) return cell % shape_.cells_x;
    return axis == 1 ? cell / shape_.cells_x % shape_.cells_y : cell / shape_.cells_x / shape_.cells_y;
  }
  // Sites stand a quarter of an edge, or in the simple lattice half an edge, inside their cell, and jitter
  // stays below that.
  double position(std::int64_t particle, int axis, std::uint64_t key) const {
    const double inside = shape_.sites == 1 ? 0.5 : 0.25;
    const double site = static_cast<double>(cell(particle, axis)) + inside +
                        0.5 * static_cast<double>(corner(particle % shape_.sites, axis));
    const std::uint64_t bits =
        draw(key, 3 * static_cast<std::uint64_t>(particle) + static_cast<std::uint64_t>(axis));
    return (site + shape_.jitter * (2 * unit_interval(bits) - 1)) * shape_.a;
  }

 private:
  LatticeShape shape_;
};

class NeighbourTable {
 public:
  NeighbourTable(const NeighbourShape& shape, std::uint64_t key)
      : shape_(shape), lattice_(shape.lattice), key_(mix_bits(key)), offsets_(count(shape.lattice.sites)) {
    for (std::int64_t site = 0; site < shape.lattice.sites; ++site) collect(site);
    number_throws();
  }

  // The longest row there may be.
  std::uint64_t most() const {
    std::uint64_t most = 0;
    for (const auto& row : offsets_) {
      std::uint64_t length = 0;
      for (const Offset& one : row) length += listed(one);
      most = length > most ? length : most;
    }
    return most;
  }
  // Of all rows together.
  std::uint64_t entries() const {
    const std::uint64_t sites = offsets_.size(), cells = count(shape_.lattice.n) / sites;
    std::uint64_t sum = 0, thrown = 0;
    for (const auto& row : offsets_)
      for (const Offset& one : row) sum += listed(one) && one.certain ? cells : 0;
    for (std::uint64_t i = 0; i < count(shape_.lattice.n); ++i)
      for (std::uint64_t word = 0; word < words_; ++word)
        thrown += static_cast<std::uint64_t>(__builtin_popcountll(throws(i, word) & valid(i % sites, word)));
    return sum + (shape_.half ? thrown : 2 * thrown);
  }
  template <class Add>
  void neighbours(std::int64_t particle, Add&& add) const {
    const std::int64_t cell[3] = {lattice_.cell(particle, 0), lattice_.cell(particle, 1),
                                  lattice_.cell(particle, 2)};
    for (const Offset& one : offsets_[count(particle % shape_.lattice.sites)]) {
      if (!listed(one)) continue;
      const std::int64_t other = at(cell, one);
      if (one.certain || thrown(one.up ? particle : other, one.bit)) add(other);
    }
  }

 private:
  struct Offset {
    std::int64_t x, y, z;         // in half edges
    std::int64_t cells[3], site;  // of the other particle: cells away, and its site there
    bool up, certain;             // up: of a pair's two directions the one that counts
    std::uint64_t bit = 0;
  };

  static std::uint64_t count(std::int64_t value) { return static_cast<std::uint64_t>(value); }
  bool listed(const Offset& one) const { return one.up || !shape_.half; }
  static std::int64_t wrapped(std::int64_t cell, std::int64_t cells) {
    return cell < 0 ? cell + cells : cell < cells ? cell : cell - cells;
  }
  std::int64_t at(const std::int64_t (&cell)[3], const Offset& one) const {
    const LatticeShape& l = shape_.lattice;
    const std::int64_t x = wrapped(cell[0] + one.cells[0], l.cells_x),
                       y = wrapped(cell[1] + one.cells[1], l.cells_y),
                       z = wrapped(cell[2] + one.cells[2], l.cells_z);
    return ((z * l.cells_y + y) * l.cells_x + x) * l.sites + one.site;
  }
  std::uint64_t throws(std::uint64_t particle, std::uint64_t word) const {
    return draw(key_, particle * words_ + word);
  }
  bool thrown(std::int64_t owner, std::uint64_t bit) const {
    return ((throws(count(owner), bit / 64) >> (bit % 64)) & 1) != 0;
  }
  std::uint64_t valid(std::uint64_t site, std::uint64_t word) const {
    if (thrown_[site] <= 64 * word) return 0;
    const std::uint64_t left = thrown_[site] - 64 * word;
    return left >= 64 ? ~0ULL : (1ULL << left) - 1;
  }

  void collect(std::int64_t site) {
    std::int64_t reach = 0;
    while ((reach + 1) * (reach + 1) <= shape_.farthest) ++reach;
    for (std::int64_t z = -reach; z <= reach; ++z)
      for (std::int64_t y = -reach; y <= reach; ++y)
        for (std::int64_t x = -reach; x <= reach; ++x) {
          const std::int64_t squared = x * x + y * y + z * z;
          if (squared == 0 || squared > shape_.farthest) continue;
          Offset one{
              x, y, z, {}, 0, z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0))), squared <= shape_.certain};
          if (lands(site, one)) offsets_[count(site)].push_back(one);
        }
  }
  // Whether an offset from a site ends on a site, and on which.
  bool lands(std::int64_t site, Offset& one) const {
    const std::int64_t away[3] = {one.x, one.y, one.z};
    for (std::int64_t other = 0; other < shape_.lattice.sites; ++other) {
      bool good = true;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t twice = away[axis] + lattice_.corner(site, axis) - lattice_.corner(other, axis);
        good = good && twice % 2 == 0;
        one.cells[axis] = twice / 2;
      }
      one.site = other;
      if (good) return true;
    }
    return false;
  }
  // Each thrown pair has a bit at the particle it leads up from; both directions know it.
  void number_throws() {
    thrown_.assign(offsets_.size(), 0);
    for (std::size_t site = 0; site < offsets_.size(); ++site)
      for (Offset& one : offsets_[site])
        if (one.up && !one.certain) one.bit = thrown_[site]++;
    for (auto& row : offsets_)
      for (Offset& one : row)
        if (!one.up && !one.certain) one.bit = bit_of_reverse(one);
    for (const std::uint64_t all : thrown_) words_ = (all + 63) / 64 > words_ ? (all + 63) / 64 : words_;
  }
  std::uint64_t bit_of_reverse(const Offset& one) const {
    for (const Offset& back : offsets_[count(one.site)])
      if (back.x == -one.x && back.y == -one.y && back.z == -one.z) return back.bit;
    return 0;
  }

  NeighbourShape shape_;
  Lattice lattice_;
  std::uint64_t key_, words_ = 0;
  std::vector<std::vector<Offset>> offsets_;  // by site
  std::vector<std::uint64_t> thrown_;         // by site
};

}  // namespace noctune
