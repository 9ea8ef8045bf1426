// Embedding energies of atoms by the embedded-atom method. The neighbours j of atom i make the density
//   rho_i = sum over j with r_ij < cutoff of rho_{type of j}(r_ij),
// atom i has the energy F_{type of i}(rho_i), and the derivative of F there is kept for the forces. Both
// functions are cubic splines, nr and nrho intervals a type, with four coefficients for each interval, the
// cubic one first. position holds x, y, z and the type; neighbour k of atom i is neighbours[k * n + i]; the
// box is periodic.
#include <cmath>

extern "C" void eam_energy(int n, float box_x, float box_y, float box_z, float cutoff, int nr, float dr,
                           int nrho, float drho, const float4* position, const int* count,
                           const int* neighbours, const float4* density_spline,
                           const float4* embedding_spline, float* energy, float* derivative) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float4 here = position[i];
    float rho = 0.0f;
    for (int k = 0; k < count[i]; ++k) {
      float4 there = position[neighbours[k * n + i]];
      float dx = here.x - there.x;
      float dy = here.y - there.y;
      float dz = here.z - there.z;
      dx -= box_x * std::rint(dx / box_x);
      dy -= box_y * std::rint(dy / box_y);
      dz -= box_z * std::rint(dz / box_z);
      float r = std::sqrt(dx * dx + dy * dy + dz * dz);
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
