// Haar transform of a signal of n values, n a power of two, over all levels: a level turns each pair a, b into its
// approximation (a + b) / sqrt(2) and its detail (a - b) / sqrt(2); approximations go on to the next level.
// coefficients[0] is the last approximation, details of a level with h pairs follow from coefficients[h] on.
// approximations keeps those of all levels, one behind the other.
__global__ void haar_level(int pairs, const float* from, float* approximation, float* detail) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) {
    approximation[i] = (from[2 * i] + from[2 * i + 1]) * 0.70710678f;
    detail[i] = (from[2 * i] - from[2 * i + 1]) * 0.70710678f;
  }
}

extern "C" void haar_wavelet(int n, const float* signal, float* approximations, float* coefficients,
                             mep_stream_t stream) {
  const float* from = signal;
  float* to = approximations;
  for (int pairs = n / 2; pairs > 0; pairs /= 2) {
    if (pairs == 1) to = coefficients;
    haar_level<<<(pairs + 255) / 256, 256, 0, stream>>>(pairs, from, to, coefficients + pairs);
    from = to;
    to += pairs;
  }
}
