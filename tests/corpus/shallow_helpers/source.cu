#define GRAV 9.81

__device__ __forceinline__ double minmod(double a, double b)
{
  if (a * b <= 0.0) return 0.0;
  return fabs(a) < fabs(b) ? a : b;
}

__device__ double slope(const double* q, int i)
{
  return 0.5 * minmod(q[i] - q[i - 1], q[i + 1] - q[i]);
}

/* Rates of change of depth h and discharge hu on a strip; two ghost cells at either end. */
__global__ void shallow_rates(int n, double dx, const double* h, const double* hu, double* dh, double* dhu)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2) return;
  double f0[2], f1[2];
  for (int side = 0; side < 2; ++side) {
    const int l = i - 1 + side, r = l + 1;
    const double hl = h[l] + slope(h, l), hr = h[r] - slope(h, r);
    const double ql = hu[l] + slope(hu, l), qr = hu[r] - slope(hu, r);
    const double a = fmax(fabs(ql / hl) + sqrt(GRAV * hl), fabs(qr / hr) + sqrt(GRAV * hr));
    f0[side] = 0.5 * (ql + qr) - 0.5 * a * (hr - hl);
    f1[side] = 0.5 * (ql * ql / hl + 0.5 * GRAV * hl * hl + qr * qr / hr + 0.5 * GRAV * hr * hr) - 0.5 * a * (qr - ql);
  }
  dh[i] = (f0[0] - f0[1]) / dx;
  dhu[i] = (f1[0] - f1[1]) / dx;
}
