#include <math.h>

struct Body {
  float x, y, z;
  float m;
};

struct Vec3 {
  float x, y, z;
};

// All pairs, softened. called as: gravity(bodies, acc, nbodies, 1e-2f);
void gravity(Body* bodies, Vec3* acc, int nbodies, float eps2) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < nbodies; i++) {
    Vec3 a = {0.0f, 0.0f, 0.0f};
    for (int j = 0; j < nbodies; j++) {
      float dx = bodies[j].x - bodies[i].x;
      float dy = bodies[j].y - bodies[i].y;
      float dz = bodies[j].z - bodies[i].z;
      float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + eps2);
      float s = bodies[j].m * inv * inv * inv;
      a.x += dx * s;
      a.y += dy * s;
      a.z += dz * s;
    }
    acc[i] = a;
  }
}
