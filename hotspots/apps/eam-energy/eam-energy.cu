// Embedding energies of atoms by the embedded-atom method. The neighbours j of atom i make the density
//   rho_i = sum over j with r_ij < cutoff of rho_{type of j}(r_ij),
// atom i has the energy F_{type of i}(rho_i), and the derivative of F there is kept for the forces. Both
// functions are cubic splines, nr and nrho intervals a type, with four coefficients for each interval, the
// cubic one first. position holds x, y, z and the type; neighbour k of atom i is neighbours[k * n + i]; the
// box is periodic.
__global__ void embed_atoms(int n, float box_x, float box_y, float box_z, float cutoff, int nr, float dr,
                            int nrho, float drho, const float4* position, const int* count,
                            const int* neighbours, const float4* density_spline,
                            const float4* embedding_spline, float* energy, float* derivative) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 here = position[i];
    float rho = 0.0f;
    for (int k = 0; k < count[i]; ++k) {
      float4 there = position[neighbours[k * n + i]];
      float dx = here.x - there.x;
      float dy = here.y - there.y;
      float dz = here.z - there.z;
      dx -= box_x * rintf(dx / box_x);
      dy -= box_y * rintf(dy / box_y);
      dz -= box_z * rintf(dz / box_z);
      float r = sqrtf(dx * dx + dy * dy + dz * dz);
      if (r < cutoff) {
        float p = r / dr;
        int m = static_cast<int>(p);
        if (m > nr - 1) m = nr - 1;
        p -= m;
        float4 c = density_spline[static_cast<int>(there.w) * nr + m];
        rho += ((c.x * p + c.y) * p + c.z) * p + c.w;
      }
    }
    float p = rho / drho;
    int m = static_cast<int>(p);
    if (m > nrho - 1) m = nrho - 1;
    p -= m;
    float4 c = embedding_spline[static_cast<int>(here.w) * nrho + m];
    energy[i] = ((c.x * p + c.y) * p + c.z) * p + c.w;
    derivative[i] = ((3.0f * c.x * p + 2.0f * c.y) * p + c.z) / drho;
  }
}

extern "C" void eam_energy(int n, float box_x, float box_y, float box_z, float cutoff, int nr, float dr,
                           int nrho, float drho, const float4* position, const int* count,
                           const int* neighbours, const float4* density_spline,
                           const float4* embedding_spline, float* energy, float* derivative,
                           mep_stream_t stream) {
  embed_atoms<<<(n + 255) / 256, 256, 0, stream>>>(n, box_x, box_y, box_z, cutoff, nr, dr, nrho, drho,
                                                   position, count, neighbours, density_spline,
                                                   embedding_spline, energy, derivative);
}
