#include <math.h>

// One kick of all bodies by all bodies. G = 1 in these units.
void kick(int n, float dt, float eps2, const float *px, const float *py, const float *pz, const float *mass,
          float *vx, float *vy, float *vz)
{
  #pragma omp parallel for schedule(dynamic, 16)
  for (int i = 0; i < n; i++) {
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; j++) {
      float dx = px[j] - px[i];
      float dy = py[j] - py[i];
      float dz = pz[j] - pz[i];
      float r2 = dx * dx + dy * dy + dz * dz + eps2;
      float inv = 1.0f / sqrtf(r2);
      float w = mass[j] * inv * inv * inv;
      ax += w * dx;
      ay += w * dy;
      az += w * dz;
    }
    vx[i] += dt * ax;
    vy[i] += dt * ay;
    vz[i] += dt * az;
  }
}
