// Graphs as compressed rows of targets.
#include "mep/data/data_shape.hpp"
#include "mep/runtime/graph.hpp"

namespace noctune {
namespace {

GraphShape read_graph(DataFields& fields) {
  GraphShape shape;
  shape.nodes = fields.whole("nodes", 1, 1LL << 36);
  shape.degree_min = fields.whole("degree_min", 2, 1 << 20);
  shape.degree_max = fields.whole("degree_max", 2, 1 << 20);
  shape.undirected = fields.is("edges", "undirected");
  shape.low = fields.whole("low", 0);
  shape.high = fields.whole("high", 0);
  if (shape.degree_max < shape.degree_min) fields.refuse("degree_max is below degree_min");
  if (shape.high < shape.low) fields.refuse("high is below low");
  const std::int64_t least = 2 * shape.degree_max + 2;
  if (shape.nodes < least)
    fields.refuse("nodes = " + std::to_string(shape.nodes) + " are too few for degrees up to " +
                      std::to_string(shape.degree_max),
                  "at least " + std::to_string(least) + " nodes are needed: set that as the size's min");
  return shape;
}

}  // namespace

Result<DataShape> graph_shape(const ShapeInput& input) {
  DataFields fields(input.data(), input.symbols);
  const GraphShape shape = read_graph(fields);
  if (fields.failed()) return fields.failure();
  const auto edges = static_cast<long long>(GraphRows(shape, input.structure_key()).edges());
  DataShape out;
  out.plan.words = words_of(shape);
  out.parts = {
      {"row_ptr", whole_part(shape.nodes + 1, edges)}, {"col", whole_part(edges, shape.nodes - 1)},
      {"row", whole_part(edges, shape.nodes - 1)},     {"degree", whole_part(shape.nodes, shape.degree_max)},
      {"weight", whole_part(edges, shape.high)},       {"source", whole_part(1, 0)}};
  out.derived = {{"nodes", static_cast<double>(shape.nodes)}, {"edges", static_cast<double>(edges)}};
  return out;
}

}  // namespace noctune
