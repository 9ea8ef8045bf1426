// Leapfrog, second half: velocities from forces. Cut out of integrate.cpp.
// called as: advance_velocity(natoms3, 0.5 * dt, f, inv_mass, v);
void advance_velocity(int n, double dt, const double* force, const double* inv_mass, double* vel)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        vel[i] = vel[i] + dt * inv_mass[i] * force[i];
    }
}
