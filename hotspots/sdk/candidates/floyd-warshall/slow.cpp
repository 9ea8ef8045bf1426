// Squares of the matrix in min-plus arithmetic, each twice as many edges: log2(n) times the work.
#include <vector>

extern "C" void floyd_warshall(int n, unsigned int* distance) {
  std::vector<unsigned int> square(distance, distance + static_cast<long>(n) * n);
  for (int edges = 1; edges < n; edges *= 2) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) {
        for (int j = 0; j < n; ++j) {
          const unsigned int through = distance[i * n + k] + distance[k * n + j];
          if (through < square[i * n + j]) square[i * n + j] = through;
        }
      }
    }
#pragma omp parallel for
    for (int i = 0; i < n * n; ++i) distance[i] = square[i];
  }
}
