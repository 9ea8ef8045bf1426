// Leapfrog update of the particles. All members point to n values each, in device memory.
struct Particles {
  float *x, *y, *z;
  float *vx, *vy, *vz;
  const float *fx, *fy, *fz;
  const float* mass;
};

#define THREADS 256

__global__ void __launch_bounds__(THREADS) kick_drift(Particles p, int n, float dt, float* ekin) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  const float a = dt / p.mass[i];
  p.vx[i] += a * p.fx[i];
  p.vy[i] += a * p.fy[i];
  p.vz[i] += a * p.fz[i];
  p.x[i] += dt * p.vx[i];
  p.y[i] += dt * p.vy[i];
  p.z[i] += dt * p.vz[i];
  ekin[i] = 0.5f * p.mass[i] * (p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i]);
}
