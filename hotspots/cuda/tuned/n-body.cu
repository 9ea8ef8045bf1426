// n-body by hand: 32 bodies a block, so that few bodies fill a large device. Eight groups of lanes share out
// the bodies that pull, a tile of 256 at a time in shared memory, and add up what they found.
namespace {

constexpr int lanes = 32;
constexpr int groups = 8;
constexpr int tile = lanes * groups;

}  // namespace

__global__ void __launch_bounds__(tile)
    accelerate(int n, float softening, const float* __restrict__ position, const float* __restrict__ mass,
               float* __restrict__ acceleration) {
  __shared__ __align__(16) float4 bodies[tile];
  __shared__ float found[3][groups][lanes];
  const int lane = threadIdx.x, group = threadIdx.y;
  const int id = group * lanes + lane;
  const int i = blockIdx.x * lanes + lane;
  const int mine = i < n ? i : n - 1;
  const float x = position[3 * mine], y = position[3 * mine + 1], z = position[3 * mine + 2];
  const float soft = softening * softening;
  float ax = 0.0f, ay = 0.0f, az = 0.0f;

  for (int j0 = 0; j0 < n; j0 += tile) {
    const int j = j0 + id;
    float4 body = {0.0f, 0.0f, 0.0f, 0.0f};  // behind the last one: without mass
    if (j < n) body = {position[3 * j], position[3 * j + 1], position[3 * j + 2], mass[j]};
    __syncthreads();
    bodies[id] = body;
    __syncthreads();
#pragma unroll
    for (int b = 0; b < lanes; ++b) {
      const float4 other = bodies[group * lanes + b];
      const float dx = other.x - x, dy = other.y - y, dz = other.z - z;
      const float inverse = rsqrtf(dx * dx + (dy * dy + (dz * dz + soft)));
      const float pull = other.w * inverse * (inverse * inverse);
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
  }
  found[0][group][lane] = ax;
  found[1][group][lane] = ay;
  found[2][group][lane] = az;
  __syncthreads();
  if (group >= 3 || i >= n) return;
  float sum = 0.0f;
#pragma unroll
  for (int g = 0; g < groups; ++g) sum += found[group][g][lane];
  acceleration[3 * i + group] = sum;
}

extern "C" void n_body(int n, float softening, const float* position, const float* mass, float* acceleration,
                       mep_stream_t stream) {
  const dim3 block(lanes, groups);
  accelerate<<<(n + lanes - 1) / lanes, block, 0, stream>>>(n, softening, position, mass, acceleration);
}
