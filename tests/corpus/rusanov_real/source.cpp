#include <cmath>
#include "precision.h"   // real

static const real GAMMA_GAS = real(1.4);

// Mass flux through the faces of a row of cells, Rusanov's form. Face i lies between cells i and i+1.
void mass_flux(const int ncell, const real* rho, const real* prs, const real* mom, real* flux)
{
    #pragma omp parallel for
    for (int i = 0; i < ncell - 1; ++i) {
        const real cl = std::sqrt(GAMMA_GAS * prs[i] / rho[i]);
        const real cr = std::sqrt(GAMMA_GAS * prs[i + 1] / rho[i + 1]);
        const real ul = mom[i] / rho[i];
        const real ur = mom[i + 1] / rho[i + 1];
        const real smax = std::fmax(std::fabs(ul) + cl, std::fabs(ur) + cr);
        flux[i] = real(0.5) * (mom[i] + mom[i + 1]) - real(0.5) * smax * (rho[i + 1] - rho[i]);
    }
}
