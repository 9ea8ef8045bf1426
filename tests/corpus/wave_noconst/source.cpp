// Pressure wave, one time step. The new field overwrites the one before last.
void propagate(int nx, int nz, float dtdx2, float *vel, float *now, float *past)
{
  int ix, iz;
  #pragma omp parallel for private(ix, iz)
  for (iz = 2; iz < nz - 2; iz++) {
    for (ix = 2; ix < nx - 2; ix++) {
      int p = iz * nx + ix;
      float lap = -5.0f * now[p]
                + 1.3333333f * (now[p - 1] + now[p + 1] + now[p - nx] + now[p + nx])
                - 0.0833333f * (now[p - 2] + now[p + 2] + now[p - 2 * nx] + now[p + 2 * nx]);
      past[p] = 2.0f * now[p] - past[p] + vel[p] * vel[p] * dtdx2 * lap;
    }
  }
}
