// Field at the particles, linear between the two nodes of the particle's cell. There are ncells + 1 nodes.
void gather_field(int np, int ncells, const int* cell, const float* weight, const float* field,
                  float* at_particle) {
#pragma omp parallel for simd
  for (int p = 0; p < np; ++p) {
    int c = cell[p];
    at_particle[p] = (1.0f - weight[p]) * field[c] + weight[p] * field[c + 1];
  }
}
