#define TILE 128

// body: x, y, z and mass in w. acc.w receives the potential.
__global__ void attract(const float4* body, float4* acc, int nbody, float soft2)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 me = i < nbody ? body[i] : make_float4(0.f, 0.f, 0.f, 0.f);
    float4 sum = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int start = 0; start < nbody; start += TILE) {
        const int from = start + threadIdx.x;
        tile[threadIdx.x] = from < nbody ? body[from] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < TILE; ++j) {
            const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            const float r = rsqrtf(dx * dx + dy * dy + dz * dz + soft2);
            const float s = tile[j].w * r * r * r;
            sum.x += dx * s;
            sum.y += dy * s;
            sum.z += dz * s;
            sum.w -= tile[j].w * r;
        }
        __syncthreads();
    }
    if (i < nbody) acc[i] = sum;
}
// attract<<<(nbody + TILE - 1) / TILE, TILE>>>(d_body, d_acc, nbody, eps * eps);
