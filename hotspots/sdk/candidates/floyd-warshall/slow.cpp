// Squares of the matrix in min-plus arithmetic, each for paths of twice as many edges: log2(n) parallel loops
// rather than n, but log2(n) times the work, and down the columns.
#include <vector>

extern "C" void floyd_warshall(int n, unsigned int* distance) {
  std::vector<unsigned int> square(static_cast<long>(n) * n);
  for (int edges = 1; edges < n; edges *= 2) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        unsigned int shortest = distance[i * n + j];
        for (int k = 0; k < n; ++k) {
          const unsigned int through = distance[i * n + k] + distance[k * n + j];
          if (through < shortest) shortest = through;
        }
        square[i * n + j] = shortest;
      }
    }
#pragma omp parallel for
    for (int at = 0; at < n * n; ++at) distance[at] = square[at];
  }
}
