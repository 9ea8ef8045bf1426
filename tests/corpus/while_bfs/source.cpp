// Breadth-first search on a graph in CSR form: row[v] .. row[v + 1] are the edges of v. Both sweeps repeat
// until no node was added.
void bfs_expand(int nodes, const int* row, const int* col, char* frontier, char* reached, const char* visited,
                int* cost) {
#pragma omp parallel for schedule(dynamic, 256)
  for (int v = 0; v < nodes; v++) {
    if (!frontier[v]) continue;
    frontier[v] = 0;
    for (int e = row[v]; e < row[v + 1]; e++) {
      const int w = col[e];
      if (!visited[w]) {
        int next = cost[v] + 1;
#pragma omp atomic write
        cost[w] = next;
#pragma omp atomic write
        reached[w] = 1;
      }
    }
  }
}

void bfs_commit(int nodes, char* frontier, char* reached, char* visited, int* more) {
#pragma omp parallel for
  for (int v = 0; v < nodes; v++) {
    if (!reached[v]) continue;
    frontier[v] = 1;
    visited[v] = 1;
    reached[v] = 0;
#pragma omp atomic write
    *more = 1;
  }
}

/* main():
 *   // frontier and visited are 1 at the source and 0 elsewhere, reached is 0, cost is 0 at the source and -1
 *   // elsewhere
 *   int more = 1;
 *   while (more) {
 *     more = 0;
 *     bfs_expand(nodes, row, col, frontier, reached, visited, cost);
 *     bfs_commit(nodes, frontier, reached, visited, &more);
 *   }
 */
