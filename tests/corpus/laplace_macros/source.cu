// NX and NY come from the Makefile.
#ifndef OMEGA
#define OMEGA 0.9
#endif

/* damped Jacobi for the potential; unew's rim is never touched */
__global__ void relax(const double *u, const double *rhs, double *unew)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= 1 && i < NX - 1 && j >= 1 && j < NY - 1) {
    double around = u[(i - 1) * NY + j] + u[(i + 1) * NY + j] + u[i * NY + j - 1] + u[i * NY + j + 1];
    unew[i * NY + j] = (1.0 - OMEGA) * u[i * NY + j] + OMEGA * 0.25 * (around - rhs[i * NY + j]);
  }
}
/* relax<<<dim3((NY + 31) / 32, (NX + 7) / 8), dim3(32, 8)>>>(u, rhs, unew); */
