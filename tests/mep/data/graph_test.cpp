#include <gmock/gmock.h>

#include <queue>
#include <set>

#include "mep/data/contents.hpp"

namespace noctune::testing {
namespace {

using ::testing::HasSubstr;

std::string graph(const std::string& fields) {
  return R"({"g": {"gen": "graph", )" + fields + "}}";
}

// Nodes by the number of steps from one of them.
std::vector<std::size_t> level_sizes(const std::vector<long long>& row_ptr, const std::vector<long long>& col,
                                     std::size_t source) {
  std::vector<int> level(row_ptr.size() - 1, -1);
  std::vector<std::size_t> sizes;
  std::queue<std::size_t> open;
  level[source] = 0;
  for (open.push(source); !open.empty(); open.pop()) {
    const std::size_t node = open.front();
    const auto depth = static_cast<std::size_t>(level[node]);
    if (sizes.size() <= depth) sizes.resize(depth + 1, 0);
    ++sizes[depth];
    for (long long e = row_ptr[node]; e < row_ptr[node + 1]; ++e) {
      const auto to = static_cast<std::size_t>(col[static_cast<std::size_t>(e)]);
      if (level[to] < 0) level[to] = level[node] + 1, open.push(to);
    }
  }
  return sizes;
}

TEST(Graph, ReachesAllNodesInFewLevels) {
  for (const char* edges : {"directed", "undirected"})
    for (const char* nodes : {"18", "19", "1000", "4097"})
      for (const std::uint64_t seed : {1u, 2u}) {
        const Contents made(graph(std::string(R"("degree_min": 2, "degree_max": 8, "nodes": )") + nodes +
                                  R"(, "edges": ")" + edges + "\""),
                            seed);
        const auto row_ptr = made.whole("g.row_ptr"), col = made.whole("g.col");
        for (const std::size_t source : {0u, 7u}) {
          const auto sizes = level_sizes(row_ptr, col, source);
          std::size_t reached = 0;
          for (const std::size_t one : sizes) reached += one;
          EXPECT_EQ(reached, row_ptr.size() - 1) << edges << " " << nodes;
          EXPECT_LE(sizes.size(), 16u) << edges << " " << nodes;
        }
      }
}

TEST(Graph, RowsAreAscendingUniqueAndInRange) {
  for (const char* edges : {"directed", "undirected"}) {
    const Contents made(
        graph(std::string(R"("degree_min": 3, "degree_max": 11, "nodes": 501, "edges": ")") + edges + "\""));
    const auto row_ptr = made.whole("g.row_ptr"), col = made.whole("g.col"), row = made.whole("g.row"),
               degree = made.whole("g.degree"), weight = made.whole("g.weight");
    EXPECT_EQ(row_ptr.back(), made.count("g.edges"));
    std::set<long long> degrees;
    std::map<std::pair<long long, long long>, long long> all;
    for (std::size_t i = 0; i < 501; ++i) {
      EXPECT_EQ(degree[i], row_ptr[i + 1] - row_ptr[i]);
      degrees.insert(degree[i]);
      for (auto e = static_cast<std::size_t>(row_ptr[i]); e < static_cast<std::size_t>(row_ptr[i + 1]); ++e) {
        EXPECT_EQ(row[e], static_cast<long long>(i));
        EXPECT_TRUE(col[e] >= 0 && col[e] < 501);
        EXPECT_TRUE(e == static_cast<std::size_t>(row_ptr[i]) || col[e] > col[e - 1]) << edges << " " << i;
        EXPECT_TRUE(weight[e] >= 1 && weight[e] <= 100);
        all[{row[e], col[e]}] = weight[e];
      }
    }
    EXPECT_GE(*degrees.begin(), 2);
    EXPECT_LE(*degrees.rbegin(), 11);
    EXPECT_GT(degrees.size(), 4u);
    if (std::string(edges) == "directed") continue;
    for (const auto& [edge, one] : all) EXPECT_EQ(all.at({edge.second, edge.first}), one);
  }
}

TEST(Graph, SaysWhatCannotBe) {
  EXPECT_THAT(problem_of(graph(R"("nodes": 9, "degree_min": 2, "degree_max": 8)")),
              HasSubstr("at least 18 nodes are needed"));
  EXPECT_THAT(problem_of(graph(R"("nodes": 90, "degree_min": 1, "degree_max": 8)")),
              HasSubstr("degree_min = 1 lies outside 2"));
  EXPECT_THAT(problem_of(graph(R"("nodes": 90, "degree_min": 4, "degree_max": 3)")), HasSubstr("below"));
}

std::string mesh(const std::string& fields) {
  return R"({"m": {"gen": "mesh", )" + fields + "}}";
}

TEST(Mesh, ElementsShareTheNodesOfTheirFaces) {
  for (const char* numbering : {"permuted", "natural"})
    for (const char* element : {"hex", "quad"}) {
      const Contents made(mesh(std::string(R"("nx": 5, "ny": 4, "element": ")") + element +
                               R"(", "numbering": ")" + numbering + "\""));
      const bool hex = std::string(element) == "hex";
      const auto corners = static_cast<std::size_t>(made.count("m.corners")),
                 faces = static_cast<std::size_t>(made.count("m.faces"));
      const auto nodes = made.whole("m.nodes"), neighbours = made.whole("m.neighbours");
      ASSERT_EQ(made.count("m.elements"), hex ? 100 : 20);
      ASSERT_EQ(made.count("m.nodes"), hex ? 180 : 30);
      const auto of = [&](long long e) {
        const auto first = nodes.begin() + e * static_cast<long long>(corners);
        return std::set<long long>(first, first + static_cast<long long>(corners));
      };
      long long boundary = 0;
      for (long long e = 0; e < made.count("m.elements"); ++e) {
        const std::set<long long> own = of(e);
        EXPECT_EQ(own.size(), corners);
        EXPECT_TRUE(*own.begin() >= 0 && *own.rbegin() < made.count("m.nodes"));
        for (std::size_t face = 0; face < faces; ++face) {
          const long long other = neighbours[static_cast<std::size_t>(e) * faces + face];
          boundary += other < 0;
          if (other < 0) continue;
          std::size_t shared = 0;
          for (const long long node : of(other)) shared += own.count(node);
          EXPECT_EQ(shared, hex ? 4u : 2u);
          EXPECT_EQ(neighbours[static_cast<std::size_t>(other) * faces + (face ^ 1)], e)
              << "back through the same face";
        }
      }
      EXPECT_EQ(boundary, hex ? 2 * (25 + 20 + 20) : 18);
    }
}

TEST(Mesh, ElementsKeepTheirOrientation) {
  const Contents made(mesh(R"("nx": 6, "element": "quad", "jitter": 0.24)"));
  const auto nodes = made.whole("m.nodes");
  const auto x = made.part("m.x"), y = made.part("m.y"), xy = made.part("m.xyz");
  for (std::size_t e = 0; e < 36; ++e) {
    double area = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto a = static_cast<std::size_t>(nodes[4 * e + k]),
                 b = static_cast<std::size_t>(nodes[4 * e + (k + 1) % 4]);
      area += x[a] * y[b] - x[b] * y[a];
      EXPECT_EQ(xy[2 * a + 1], y[a]);
    }
    EXPECT_GT(area / 2, 0.2);
  }
  EXPECT_NE(nodes, Contents(mesh(R"("nx": 6, "element": "quad")"), 2).whole("m.nodes"));
  EXPECT_NE(x, made.part("m.x", 8));
}

TEST(Mesh, SaysWhatCannotBe) {
  EXPECT_THAT(problem_of(mesh(R"("nx": 6, "element": "quad", "nz": 3)")), HasSubstr("flat"));
  EXPECT_THAT(problem_of(mesh(R"("nx": 6, "jitter": 0.25)")), HasSubstr("jitter lies outside"));
}

}  // namespace
}  // namespace noctune::testing
