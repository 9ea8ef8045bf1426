/* Equation of state of a stiffened gas; one record of constants per material, here a single one. */
#include <math.h>

typedef struct {
  double gamma; /* > 1 */
  double cv;    /* specific heat, > 0 */
  double p_min; /* floor of the pressure, > 0 */
  double p_inf; /* >= 0 */
} eos_params;

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* density > 0 in every zone */
void gas_state(int zones, const eos_params* eos, const double* density, const double* energy,
               double* pressure, double* sound, double* temperature) {
  int i;
#pragma omp parallel for
  for (i = 0; i < zones; i++) {
    double p = (eos->gamma - 1.0) * density[i] * energy[i] - eos->gamma * eos->p_inf;
    pressure[i] = larger(p, eos->p_min);
    sound[i] = sqrt(eos->gamma * (pressure[i] + eos->p_inf) / density[i]);
    temperature[i] = energy[i] / eos->cv;
  }
}
