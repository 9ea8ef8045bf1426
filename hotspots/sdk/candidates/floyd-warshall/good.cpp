// In tiles of 64 x 64, pass by pass of 64 nodes: first the tile on the diagonal, then those in its row and
// column, then all others, so that each tile is fetched n / 64 times rather than n times. Within a tile rows
// are taken whole, without a branch.
#include <algorithm>

namespace {

constexpr int tile = 64;

// Paths from the rows [top, ...) to the columns [left, ...) through the nodes [via, ...).
void relax(int n, int top, int left, int via, unsigned int* distance) {
  const int bottom = std::min(top + tile, n), columns = std::min(tile, n - left),
            last = std::min(via + tile, n);
  for (int k = via; k < last; ++k) {
    unsigned int through[tile];
    for (int j = 0; j < columns; ++j) through[j] = distance[k * n + left + j];
    for (int i = top; i < bottom; ++i) {
      const unsigned int first = distance[i * n + k];
      unsigned int* row = distance + i * n + left;
      for (int j = 0; j < columns; ++j) row[j] = std::min(row[j], first + through[j]);
    }
  }
}

}  // namespace

extern "C" void floyd_warshall(int n, unsigned int* distance) {
#pragma omp parallel
  for (int via = 0; via < n; via += tile) {
#pragma omp single
    relax(n, via, via, via, distance);
#pragma omp for
    for (int at = 0; at < n; at += tile) {
      if (at == via) continue;
      relax(n, via, at, via, distance);
      relax(n, at, via, via, distance);
    }
#pragma omp for
    for (int top = 0; top < n; top += tile) {
      for (int left = 0; left < n; left += tile) {
        if (top != via && left != via) relax(n, top, left, via, distance);
      }
    }
  }
}
