// Shortest paths between all pairs of n nodes, in place: for each node k in turn, a path through k replaces what is
// longer. distance is n x n, its diagonal 0, so that row and column k stay as they are in pass k; two of its
// elements must fit an unsigned number together, the one for "no edge" as well.
__global__ void floyd_warshall_pass(int n, int k, unsigned int* distance) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    unsigned int through = distance[i * n + k] + distance[k * n + j];
    if (through < distance[i * n + j]) distance[i * n + j] = through;
  }
}

extern "C" void floyd_warshall(int n, unsigned int* distance, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((n + 31) / 32, (n + 7) / 8);
  for (int k = 0; k < n; ++k) {
    floyd_warshall_pass<<<grid, block, 0, stream>>>(n, k, distance);
  }
}
