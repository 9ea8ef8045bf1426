// The file is included once for each flavour, with FLAVOUR and WITH_ENERGY set; here it is the flavour with
// energies.
#define FLAVOUR ewald
#define WITH_ENERGY 1

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define KERNEL(name) PASTE(name, FLAVOUR)

__global__ void KERNEL(charge_pairs)(int npairs, const int* first, const int* second, const float* charge,
                                     const float* distance, float beta, float* force
#if WITH_ENERGY
                                     ,
                                     float* energy
#endif
) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < npairs) {
    const float qq = charge[first[p]] * charge[second[p]];
    const float r = distance[p];
    const float screen = expf(-beta * r);
    force[p] = qq * screen * (1.0f + beta * r) / (r * r);
#if WITH_ENERGY
    energy[p] = qq * screen / r;
#endif
  }
}
#undef KERNEL
// charge_pairs_ewald<<<(npairs + 255) / 256, 256>>>(npairs, first, second, charge, distance, 0.8f, force,
// energy); natoms charges; the distances lie between 0.5 and the cutoff of 3
