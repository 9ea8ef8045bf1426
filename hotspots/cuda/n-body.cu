// Gravitational accelerations by direct summation with Plummer softening (G = 1):
//   a_i = sum over j of m_j (r_j - r_i) / (|r_j - r_i|^2 + softening^2)^(3/2).
// position and acceleration hold x, y, z of one body after the other.
__global__ void accelerate(int n, float softening, const float* position, const float* mass,
                           float* acceleration) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float ax = 0.0f;
    float ay = 0.0f;
    float az = 0.0f;
    for (int j = 0; j < n; ++j) {
      float dx = position[3 * j] - position[3 * i];
      float dy = position[3 * j + 1] - position[3 * i + 1];
      float dz = position[3 * j + 2] - position[3 * i + 2];
      float distance = sqrtf(dx * dx + dy * dy + dz * dz + softening * softening);
      float pull = mass[j] / (distance * distance * distance);
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    acceleration[3 * i] = ax;
    acceleration[3 * i + 1] = ay;
    acceleration[3 * i + 2] = az;
  }
}

extern "C" void n_body(int n, float softening, const float* position, const float* mass, float* acceleration,
                       mep_stream_t stream) {
  accelerate<<<(n + 255) / 256, 256, 0, stream>>>(n, softening, position, mass, acceleration);
}
