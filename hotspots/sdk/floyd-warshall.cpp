// Shortest paths between all pairs of n nodes, in place: for each node k in turn, a path through k replaces
// what is longer. distance is n x n, its diagonal 0, so that row and column k stay as they are in pass k; two
// of its elements must fit an unsigned number together, the one for "no edge" as well.
extern "C" void floyd_warshall(int n, unsigned int* distance) {
  for (int k = 0; k < n; ++k) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        unsigned int through = distance[i * n + k] + distance[k * n + j];
        if (through < distance[i * n + j]) distance[i * n + j] = through;
      }
    }
  }
}
