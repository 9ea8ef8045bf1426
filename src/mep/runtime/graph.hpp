// The edges of a graph, from its shape and the structure key alone; every node is reached from every other
// in few steps.
#pragma once

#include <algorithm>
#include <vector>

#include "chords.hpp"
#include "random.hpp"
#include "shapes.hpp"

namespace noctune {

// Undirected: places on a ring with chords, under shuffled names. Directed: every node leads to the two that
// a reversed de Bruijn graph joins it to, which are near half of the nodes apart, and to others at random.
class GraphRows {
 public:
  GraphRows(const GraphShape& shape, std::uint64_t key)
      : shape_(shape),
        nodes_(static_cast<std::uint64_t>(shape.nodes)),
        key_(key),
        names_(mix_bits(key ^ 0x6e616d6573ULL)),
        chords_(nodes_, half(shape.undirected ? shape.degree_min : 0),
                half(shape.undirected ? shape.degree_max : 0), key) {}

  std::uint64_t degree(std::uint64_t node) const {
    if (!shape_.undirected)
      return csr_row_length(key_, node, static_cast<std::uint64_t>(shape_.degree_min),
                            static_cast<std::uint64_t>(shape_.degree_max));
    std::uint64_t degree = 0;
    chords_.neighbours(unpermuted(names_, nodes_, node), [&](std::uint64_t) { ++degree; });
    return degree;
  }
  std::uint64_t edges() const {
    if (shape_.undirected) return 2 * chords_.joins();
    std::uint64_t sum = 0;
    for (std::uint64_t node = 0; node < nodes_; ++node) sum += degree(node);
    return sum;
  }
  // Whom a node leads to, ascending.
  void targets(std::uint64_t node, std::uint64_t degree, std::vector<std::uint64_t>& out) const {
    out.clear();
    if (shape_.undirected) {
      chords_.neighbours(unpermuted(names_, nodes_, node),
                         [&](std::uint64_t other) { out.push_back(permuted(names_, nodes_, other)); });
      std::sort(out.begin(), out.end());
      return;
    }
    half_row(node, 0, degree - degree / 2, out);
    half_row(node, 1, degree / 2, out);
  }

 private:
  static std::uint64_t half(std::int64_t degree) { return static_cast<std::uint64_t>(degree) / 2; }

  // The targets in one half of the nodes: the one that is fixed, and others beside it, one per stratum.
  void half_row(std::uint64_t node, std::uint64_t side, std::uint64_t count,
                std::vector<std::uint64_t>& out) const {
    const std::uint64_t middle = node / 2 < nodes_ / 2 ? nodes_ / 2 : node / 2 + 1;
    const std::uint64_t first = side * middle, width = side == 0 ? middle : nodes_ - middle;
    const std::uint64_t fixed = (node + side * nodes_) / 2 - first, key = draw(mix_bits(key_) + side, node);
    bool pending = true;
    for (std::uint64_t j = 0; j + 1 < count; ++j) {
      std::uint64_t other = csr_column(draw(key, j), j, count - 1, width - 1);
      if (other >= fixed) ++other;
      if (pending && other > fixed) out.push_back(first + fixed), pending = false;
      out.push_back(first + other);
    }
    if (pending) out.push_back(first + fixed);
  }

  GraphShape shape_;
  std::uint64_t nodes_, key_, names_;
  Chords chords_;
};

}  // namespace noctune
