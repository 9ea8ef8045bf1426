// Root of each node in a forest; parent[root] == root ends each walk, and the forest has no cycles.
void find_roots(int n, const int* parent, int* root) {
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < n; ++i) {
    int at = parent[i];
    while (parent[at] != at) at = parent[at];
    root[i] = at;
  }
}
