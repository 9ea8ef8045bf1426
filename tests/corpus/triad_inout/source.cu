// Leapfrog, second half: velocities from forces. Cut out of integrate.cu.
__global__ void advance_velocity(int n, double dt, const double* __restrict__ force,
                                 const double* __restrict__ inv_mass, double* vel)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        vel[i] = vel[i] + dt * inv_mass[i] * force[i];
    }
}
// launched as: advance_velocity<<<(n + 255) / 256, 256>>>(n, 0.5 * dt, d_f, d_inv_mass, d_v);
