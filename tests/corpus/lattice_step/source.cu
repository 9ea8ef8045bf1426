// One step of a nine-speed lattice Boltzmann scheme on a periodic grid: pull, then relax; bounce back at
// obstacles. speed_sum and fluid_count are partial sums, one per block of 128 cells of a row; the launch is
// exact: lattice_step<<<dim3(nx / 128, ny), 128>>>(s0, ..., t8, obstacles, speed_sum, fluid_count, 1.2f,
// 1e-3f, nx, ny, 1); with nx % 128 == 0; densities are near 1, so s0 is about 0.44, s1 to s4 0.11 and s5 to
// s8 0.028 each.
#define LANES 128

__device__ static float equilibrium(float weight, float rho, float cu, float usq) {
  return weight * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * usq);
}

__global__ void lattice_step(const float* s0, const float* s1, const float* s2, const float* s3,
                             const float* s4, const float* s5, const float* s6, const float* s7,
                             const float* s8, float* t0, float* t1, float* t2, float* t3, float* t4,
                             float* t5, float* t6, float* t7, float* t8, const int* obstacles,
                             float* speed_sum, int* fluid_count, float omega, float floor_density, int nx,
                             int ny, int y_shift) {
  __shared__ float speeds[LANES];
  __shared__ int fluid[LANES];
  const int x = blockIdx.x * LANES + threadIdx.x, y = blockIdx.y;
  const int n = (y + y_shift) % ny, s = (y + ny - y_shift) % ny;
  speeds[threadIdx.x] = 0.0f;
  fluid[threadIdx.x] = 0;
  const int e = (x + 1) % nx, w = (x + nx - 1) % nx, c = y * nx + x;
  const float p0 = s0[c], p1 = s1[y * nx + w], p2 = s2[s * nx + x], p3 = s3[y * nx + e], p4 = s4[n * nx + x];
  const float p5 = s5[s * nx + w], p6 = s6[s * nx + e], p7 = s7[n * nx + e], p8 = s8[n * nx + w];
  if (obstacles[c] != 0) {
    t0[c] = p0, t1[c] = p3, t2[c] = p4, t3[c] = p1, t4[c] = p2;
    t5[c] = p7, t6[c] = p8, t7[c] = p5, t8[c] = p6;
  } else {
    const float rho = fmaxf(p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8, floor_density);
    const float ux = (p1 + p5 + p8 - (p3 + p6 + p7)) / rho, uy = (p2 + p5 + p6 - (p4 + p7 + p8)) / rho;
    const float usq = ux * ux + uy * uy;
    t0[c] = p0 + omega * (equilibrium(4.0f / 9, rho, 0, usq) - p0);
    t1[c] = p1 + omega * (equilibrium(1.0f / 9, rho, ux, usq) - p1);
    t2[c] = p2 + omega * (equilibrium(1.0f / 9, rho, uy, usq) - p2);
    t3[c] = p3 + omega * (equilibrium(1.0f / 9, rho, -ux, usq) - p3);
    t4[c] = p4 + omega * (equilibrium(1.0f / 9, rho, -uy, usq) - p4);
    t5[c] = p5 + omega * (equilibrium(1.0f / 36, rho, ux + uy, usq) - p5);
    t6[c] = p6 + omega * (equilibrium(1.0f / 36, rho, -ux + uy, usq) - p6);
    t7[c] = p7 + omega * (equilibrium(1.0f / 36, rho, -ux - uy, usq) - p7);
    t8[c] = p8 + omega * (equilibrium(1.0f / 36, rho, ux - uy, usq) - p8);
    speeds[threadIdx.x] = sqrtf(usq);
    fluid[threadIdx.x] = 1;
  }
  for (int half = LANES / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      speeds[threadIdx.x] += speeds[threadIdx.x + half];
      fluid[threadIdx.x] += fluid[threadIdx.x + half];
    }
  }
  if (threadIdx.x == 0) {
    speed_sum[y * gridDim.x + blockIdx.x] = speeds[0];
    fluid_count[y * gridDim.x + blockIdx.x] = fluid[0];
  }
}
