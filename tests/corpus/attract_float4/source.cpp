#include <cmath>

// body: x, y, z and mass in w. acc.w receives the potential.
// ex: attract(body, acc, nbody, softening * softening);
void attract(const float4* body, float4* acc, int nbody, float soft2)
{
#pragma omp parallel for
    for (int i = 0; i < nbody; ++i) {
        const float4 me = body[i];
        float4 sum = make_float4(0.f, 0.f, 0.f, 0.f);
        for (int j = 0; j < nbody; ++j) {
            const float4 other = body[j];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float r = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + soft2);
            const float s = other.w * r * r * r;
            sum.x += dx * s;
            sum.y += dy * s;
            sum.z += dz * s;
            sum.w -= other.w * r;
        }
        acc[i] = sum;
    }
}
