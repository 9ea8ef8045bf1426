/*
 * Explicit heat step, interior points only; boundaries are set by apply_bc().
 * x is the fastest direction; a thread walks up a column in z.
 */
#define IDX(i, j, k) ((i) + nx * ((j) + ny * (k)))

__global__ void heat_step(const float* __restrict__ t_old, float* __restrict__ t_new, const float c0, const float c1,
                          const int nx, const int ny, const int nz)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1) return;

    float below = t_old[IDX(i, j, 0)];
    float here = t_old[IDX(i, j, 1)];
    for (int k = 1; k < nz - 1; ++k) {
        const float above = t_old[IDX(i, j, k + 1)];
        t_new[IDX(i, j, k)] = c0 * here + c1 * (t_old[IDX(i - 1, j, k)] + t_old[IDX(i + 1, j, k)] +
                                                t_old[IDX(i, j - 1, k)] + t_old[IDX(i, j + 1, k)] + below + above);
        below = here;
        here = above;
    }
}

void run_step(const float* t_old, float* t_new, float c0, float c1, int nx, int ny, int nz)
{
    dim3 block(32, 4, 1);
    dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, 1);
    heat_step<<<grid, block>>>(t_old, t_new, c0, c1, nx, ny, nz);
}
