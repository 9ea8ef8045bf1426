struct Body {
  float x, y, z;
  float m;
};

struct Vec3 {
  float x, y, z;
};

#define BLOCK 128

// All pairs, softened, one tile of bodies in shared memory at a time.
// gravity<<<(nbodies + BLOCK - 1) / BLOCK, BLOCK>>>(bodies, acc, nbodies, 1e-2f);
__global__ void gravity(Body* bodies, Vec3* acc, int nbodies, float eps2) {
  __shared__ Body tile[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  Body me = i < nbodies ? bodies[i] : bodies[0];
  Vec3 a = {0.0f, 0.0f, 0.0f};
  for (int first = 0; first < nbodies; first += BLOCK) {
    __syncthreads();
    if (first + threadIdx.x < nbodies) tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    int count = min(BLOCK, nbodies - first);
    for (int j = 0; j < count; j++) {
      float dx = tile[j].x - me.x;
      float dy = tile[j].y - me.y;
      float dz = tile[j].z - me.z;
      float inv = rsqrtf(dx * dx + dy * dy + dz * dz + eps2);
      float s = tile[j].m * inv * inv * inv;
      a.x += dx * s;
      a.y += dy * s;
      a.z += dz * s;
    }
  }
  if (i < nbodies) acc[i] = a;
}
