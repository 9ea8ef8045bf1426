#include <complex>

using cplx = std::complex<double>;

// Split-step method: the potential acts as a phase. norm[i] is |psi|^2 afterwards, which must not change.
void apply_phase(int npts, double dt, const double* potential, cplx* psi, double* norm)
{
    #pragma omp parallel for
    for (int i = 0; i < npts; ++i) {
        psi[i] *= std::polar(1.0, -dt * potential[i]);
        norm[i] = std::norm(psi[i]);
    }
}
