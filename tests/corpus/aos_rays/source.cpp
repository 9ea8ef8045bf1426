// Attenuation of rays that have been sorted into cells by the tracer. 0 <= rays[i].cell < ncells always holds
// here.
#include <cmath>

struct Ray {
  double intensity;
  double path;
  int cell;
  unsigned char group;  // energy group, 0 .. GROUPS-1
};

#define GROUPS 8

void attenuate(int nrays, Ray* rays, int ncells, const double* sigma, double* lost) {
#pragma omp parallel for
  for (int i = 0; i < nrays; ++i) {
    Ray& ray = rays[i];
    const double tau = sigma[ray.cell * GROUPS + ray.group] * ray.path;
    const double rest = ray.intensity * std::exp(-tau);
    lost[i] = ray.intensity - rest;
    ray.intensity = rest;
  }
}
