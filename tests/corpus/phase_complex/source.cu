#include <cuComplex.h>

// Split-step method: the potential acts as a phase. norm[i] is |psi|^2 afterwards, which must not change.
__global__ void apply_phase(int npts, double dt, const double* potential, cuDoubleComplex* psi, double* norm)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= npts) return;
    double s, c;
    sincos(-dt * potential[i], &s, &c);
    const cuDoubleComplex turned = cuCmul(psi[i], make_cuDoubleComplex(c, s));
    psi[i] = turned;
    norm[i] = turned.x * turned.x + turned.y * turned.y;
}
