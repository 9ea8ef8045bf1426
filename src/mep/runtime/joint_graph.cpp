#include "graph.hpp"
#include "joint.hpp"

namespace noctune {
namespace {

class GraphMaker final : public JointMaker {
 public:
  GraphMaker(const GraphShape& shape, std::uint64_t key)
      : shape_(shape), rows_(shape, key), offsets_(static_cast<std::size_t>(shape.nodes) + 1, 0) {
    for (std::size_t node = 0; node + 1 < offsets_.size(); ++node)
      offsets_[node + 1] = offsets_[node] + rows_.degree(node);
  }

  void block(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const override {
    const std::string& part = wanted.part;
    if (part == "col" || part == "row" || part == "weight") return edges(wanted, first, count, out);
    for (std::uint64_t i = first; i < first + count; ++i)
      *out++ = part == "row_ptr"  ? static_cast<double>(offsets_[i])
               : part == "degree" ? static_cast<double>(offsets_[i + 1] - offsets_[i])
                                  : 0;  // source
  }
  bool varies(const std::string& part) const override { return part == "weight"; }
  bool is_label(const std::string& part, std::uint64_t) const override { return part == "weight"; }

 private:
  // Both directions of an edge weigh the same in an undirected graph.
  double weight(std::uint64_t key, std::uint64_t from, std::uint64_t to) const {
    const bool turn = shape_.undirected && to < from;
    const std::uint64_t bits = draw(draw(key, turn ? to : from), turn ? from : to);
    return static_cast<double>(shape_.low) +
           static_cast<double>(scaled(bits, static_cast<std::uint64_t>(shape_.high - shape_.low) + 1));
  }
  void edges(const JointRequest& wanted, std::uint64_t first, std::size_t count, double* out) const {
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), first);
    std::uint64_t node = static_cast<std::uint64_t>(after - offsets_.begin()) - 1;
    std::vector<std::uint64_t> targets;
    for (std::uint64_t edge = first; edge < first + count; ++node) {
      rows_.targets(node, offsets_[node + 1] - offsets_[node], targets);
      for (; edge < offsets_[node + 1] && edge < first + count; ++edge) {
        const std::uint64_t to = targets[edge - offsets_[node]];
        *out++ = wanted.part == "col"   ? static_cast<double>(to)
                 : wanted.part == "row" ? static_cast<double>(node)
                                        : weight(wanted.values, node, to);
      }
    }
  }

  GraphShape shape_;
  GraphRows rows_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace

std::unique_ptr<JointMaker> make_graph(const JointSet& set, std::uint64_t structure_key) {
  return std::make_unique<GraphMaker>(shape_of<GraphShape>(set.words), structure_key);
}

}  // namespace noctune
