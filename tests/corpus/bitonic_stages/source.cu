// One pass of the bitonic network over 2^k keys: one thread for each of the n/2 pairs, no guard.
typedef unsigned int uint;

__global__ void bitonic_pass(uint* keys, int stage, int pass) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int distance = 1 << (stage - pass);
  const int left = (t / distance) * 2 * distance + t % distance;
  const int right = left + distance;
  const bool ascending = ((t >> stage) & 1) == 0;
  const uint a = keys[left], b = keys[right];
  if ((a > b) == ascending) {
    keys[left] = b;
    keys[right] = a;
  }
}

// k = log2(n) stages; n >= 512:
// for (int stage = 0; stage < k; ++stage)
//   for (int pass = 0; pass <= stage; ++pass)
//     bitonic_pass<<<n / 2 / 256, 256>>>(keys, stage, pass);
