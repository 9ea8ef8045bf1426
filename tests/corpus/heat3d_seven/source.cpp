/*
 * Explicit heat step, interior points only; boundaries are set by apply_bc().
 * x is the fastest direction.
 */
#define IDX(i, j, k) ((i) + nx * ((j) + ny * (k)))

void heat_step(const float* __restrict__ t_old, float* __restrict__ t_new, const float c0, const float c1, const int nx,
               const int ny, const int nz)
{
    #pragma omp parallel for collapse(2)
    for (int k = 1; k < nz - 1; ++k)
        for (int j = 1; j < ny - 1; ++j)
            for (int i = 1; i < nx - 1; ++i)
                t_new[IDX(i, j, k)] = c0 * t_old[IDX(i, j, k)] +
                                      c1 * (t_old[IDX(i - 1, j, k)] + t_old[IDX(i + 1, j, k)] + t_old[IDX(i, j - 1, k)] +
                                            t_old[IDX(i, j + 1, k)] + t_old[IDX(i, j, k - 1)] + t_old[IDX(i, j, k + 1)]);
}
