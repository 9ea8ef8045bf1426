// All shortest paths, one pass for each intermediate node. Distances are unsigned, zero on the diagonal; a
// missing edge is NO_EDGE, which is small enough that two of them do not overflow.
#define NO_EDGE 0x3fffffffu

static inline unsigned shorter(unsigned a, unsigned b) {
  return a < b ? a : b;
}

void floyd_pass(unsigned* dist, unsigned* via, int nodes, int pass) {
#pragma omp parallel for
  for (int y = 0; y < nodes; ++y)
    for (int x = 0; x < nodes; ++x) {
      const unsigned old = dist[y * nodes + x];
      const unsigned detour = dist[y * nodes + pass] + dist[pass * nodes + x];
      dist[y * nodes + x] = shorter(old, detour);
      if (detour < old) via[y * nodes + x] = pass;
    }
}

// host:
//   for (int pass = 0; pass < nodes; ++pass) floyd_pass(dist, via, nodes, pass);
