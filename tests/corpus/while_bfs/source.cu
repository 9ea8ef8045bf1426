// Breadth-first search on a graph in CSR form: row[v] .. row[v + 1] are the edges of v. Both kernels repeat
// until no node was added.
__global__ void bfs_expand(int nodes, const int* row, const int* col, char* frontier, char* reached,
                           const char* visited, int* cost) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes && frontier[v]) {
    frontier[v] = 0;
    for (int e = row[v]; e < row[v + 1]; e++) {
      const int w = col[e];
      if (!visited[w]) {
        cost[w] = cost[v] + 1;
        reached[w] = 1;
      }
    }
  }
}

__global__ void bfs_commit(int nodes, char* frontier, char* reached, char* visited, int* more) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < nodes && reached[v]) {
    frontier[v] = 1;
    visited[v] = 1;
    reached[v] = 0;
    *more = 1;
  }
}

/* main():
 *   // frontier and visited are 1 at the source and 0 elsewhere, reached is 0, cost is 0 at the source and -1
 *   // elsewhere
 *   int more;
 *   do {
 *     more = 0;
 *     cudaMemcpy(d_more, &more, sizeof(int), cudaMemcpyHostToDevice);
 *     bfs_expand<<<(nodes + 255) / 256, 256>>>(nodes, row, col, frontier, reached, visited, cost);
 *     bfs_commit<<<(nodes + 255) / 256, 256>>>(nodes, frontier, reached, visited, d_more);
 *     cudaMemcpy(&more, d_more, sizeof(int), cudaMemcpyDeviceToHost);
 *   } while (more);
 */
