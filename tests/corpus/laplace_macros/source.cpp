// NX and NY come from the Makefile.
#ifndef OMEGA
#define OMEGA 0.9
#endif

/* damped Jacobi for the potential; unew's rim is never touched */
void relax(const double *u, const double *rhs, double *unew)
{
#pragma omp parallel for
  for (int i = 1; i < NX - 1; i++) {
    for (int j = 1; j < NY - 1; j++) {
      double around = u[(i - 1) * NY + j] + u[(i + 1) * NY + j] + u[i * NY + j - 1] + u[i * NY + j + 1];
      unew[i * NY + j] = (1.0 - OMEGA) * u[i * NY + j] + OMEGA * 0.25 * (around - rhs[i * NY + j]);
    }
  }
}
