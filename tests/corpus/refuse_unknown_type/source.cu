// FluxTable and Face come from headers that were not handed in; their members are used below.
__global__ void gather_fluxes(const FluxTable table, const Face* faces, int nfaces, double* residual) {
  const int f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= nfaces) return;
  const Face& face = faces[f];
  const double jump = table.left(face.owner) - table.right(face.neighbour);
  residual[f] = face.area * (table.mean(f) - 0.5 * face.speed * jump);
}
