// All shortest paths, one pass for each intermediate node. Distances are unsigned, zero on the diagonal; a
// missing edge is NO_EDGE, which is small enough that two of them do not overflow. nodes is a multiple of 16:
// no guard.
#define NO_EDGE 0x3fffffffu

__device__ inline unsigned shorter(unsigned a, unsigned b) {
  return a < b ? a : b;
}

__global__ void floyd_pass(unsigned* dist, unsigned* via, int nodes, int pass) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned old = dist[y * nodes + x];
  const unsigned detour = dist[y * nodes + pass] + dist[pass * nodes + x];
  dist[y * nodes + x] = shorter(old, detour);
  if (detour < old) via[y * nodes + x] = pass;
}

// host:
//   for (int pass = 0; pass < nodes; ++pass)
//     floyd_pass<<<dim3(nodes / 16, nodes / 16), dim3(16, 16)>>>(dist, via, nodes, pass);
