// Attenuation of rays that have been sorted into cells by the tracer. 0 <= rays[i].cell < ncells always holds
// here.
struct Ray {
  double intensity;
  double path;
  int cell;
  unsigned char group;  // energy group, 0 .. GROUPS-1
};

#define GROUPS 8

// attenuate<<<2048, 128>>>(nrays, d_rays, ncells, d_sigma, d_lost);
__global__ void attenuate(int nrays, Ray* rays, int ncells, const double* sigma, double* lost) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nrays; i += gridDim.x * blockDim.x) {
    Ray& ray = rays[i];
    const double tau = sigma[ray.cell * GROUPS + ray.group] * ray.path;
    const double rest = ray.intensity * exp(-tau);
    lost[i] = ray.intensity - rest;
    ray.intensity = rest;
  }
}
