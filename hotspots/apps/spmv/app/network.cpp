#include "network.hpp"

#include <algorithm>
#include <utility>

#include "program.hpp"

namespace {

// How many links a cell asks for: mostly up to four, one cell in sixteen up to sixty.
int wanted(double chance, double share) {
  return static_cast<int>(share * (chance < 0.0625 ? 61 : 5));
}

std::vector<std::pair<int, int>> pairs_of(int cells) {
  const auto chance = host::varied<double>(cells, 1, 0, 1), share = host::varied<double>(cells, 2, 0, 1);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i + 1 < cells; ++i) {
    pairs.emplace_back(i, i + 1);
    const int others = wanted(chance[i], share[i]);
    for (double place : host::varied<double>(others, 3 + i, 0, 1)) {
      const int other = static_cast<int>(place * cells);
      if (other != i) pairs.emplace_back(std::min(i, other), std::max(i, other));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

Network make_network(int cells) {
  const auto pairs = pairs_of(cells);
  const auto conductance = host::varied<double>(pairs.size(), 4, 0.1, 1);
  Network network{cells, {}};
  for (std::size_t l = 0; l < pairs.size(); ++l)
    network.links.push_back({pairs[l].first, pairs[l].second, conductance[l]});
  return network;
}

Matrix assemble(const Network& network, double dt) {
  std::vector<double> diagonal(network.cells, 1);
  std::vector<int> length(network.cells, 1);
  for (const Link& link : network.links) {
    for (int cell : {link.from, link.to}) {
      diagonal[cell] += dt * link.conductance;
      ++length[cell];
    }
  }
  Matrix matrix;
  matrix.row_ptr.assign(1, 0);
  for (int entries : length) matrix.row_ptr.push_back(matrix.row_ptr.back() + entries);
  matrix.col.resize(matrix.row_ptr.back());
  matrix.val.resize(matrix.row_ptr.back());
  std::vector<int> next(matrix.row_ptr.begin(), matrix.row_ptr.end() - 1);
  const auto put = [&](int row, int col, double value) {
    matrix.col[next[row]] = col;
    matrix.val[next[row]++] = value;
  };
  // Links are sorted, so columns below the diagonal come in order, and so do those above it.
  for (const Link& link : network.links) put(link.to, link.from, -dt * link.conductance);
  for (int i = 0; i < network.cells; ++i) put(i, i, diagonal[i]);
  for (const Link& link : network.links) put(link.from, link.to, -dt * link.conductance);
  for (double d : diagonal) matrix.inverse_diagonal.push_back(1 / d);
  return matrix;
}
