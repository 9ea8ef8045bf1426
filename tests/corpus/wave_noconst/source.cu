// Pressure wave, one time step. The new field overwrites the one before last.
__global__ void propagate(int nx, int nz, float dtdx2, float *vel, float *now, float *past)
{
  int ix = 2 + blockIdx.x * blockDim.x + threadIdx.x;
  int iz = 2 + blockIdx.y * blockDim.y + threadIdx.y;
  if (ix < nx - 2 && iz < nz - 2) {
    int p = iz * nx + ix;
    float lap = -5.0f * now[p]
              + 1.3333333f * (now[p - 1] + now[p + 1] + now[p - nx] + now[p + nx])
              - 0.0833333f * (now[p - 2] + now[p + 2] + now[p - 2 * nx] + now[p + 2 * nx]);
    past[p] = 2.0f * now[p] - past[p] + vel[p] * vel[p] * dtdx2 * lap;
  }
}

#ifdef STANDALONE
for (int it = 0; it < nt; ++it) {
  propagate<<<grid, block>>>(nx, nz, dt * dt / (dx * dx), d_vel, d_now, d_past);
  std::swap(d_now, d_past);
}
#endif
