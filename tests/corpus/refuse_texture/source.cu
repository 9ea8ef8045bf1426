// Nearest centre of each point; the points are read through a texture, as it was done for old devices.
#define MAX_CLUSTERS 64
#define FEATURES 34

texture<float, 1, cudaReadModeElementType> point_texture;
__constant__ float centres[MAX_CLUSTERS * FEATURES];

__global__ void nearest_centre(int npoints, int nclusters, int* membership) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= npoints) return;
  int nearest = -1;
  float least = 3.4e38f;
  for (int c = 0; c < nclusters; ++c) {
    float distance = 0.0f;
    for (int f = 0; f < FEATURES; ++f) {
      const float d = tex1Dfetch(point_texture, p + f * npoints) - centres[c * FEATURES + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  membership[p] = nearest;
}
