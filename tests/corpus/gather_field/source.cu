// Field at the particles, linear between the two nodes of the particle's cell. There are ncells + 1 nodes.
#ifndef BLOCK
#define BLOCK 256
#endif

__global__ void gather_field(int np, int ncells, const int* cell, const float* weight, const float* field,
                             float* at_particle) {
  int p = blockIdx.x * BLOCK + threadIdx.x;
  if (p >= np) return;
  int c = cell[p];
  at_particle[p] = (1.0f - weight[p]) * __ldg(field + c) + weight[p] * __ldg(field + c + 1);
}
