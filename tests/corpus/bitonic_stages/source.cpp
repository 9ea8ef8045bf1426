// One pass of the bitonic network; n is a power of two.
typedef unsigned int uint;

void bitonic_pass(uint* keys, int n, int stage, int pass) {
  const int distance = 1 << (stage - pass);
#pragma omp parallel for
  for (int t = 0; t < n / 2; ++t) {
    const int left = (t / distance) * 2 * distance + t % distance;
    const int right = left + distance;
    const bool ascending = ((t >> stage) & 1) == 0;
    const uint a = keys[left], b = keys[right];
    if ((a > b) == ascending) {
      keys[left] = b;
      keys[right] = a;
    }
  }
}

// for (int stage = 0; stage < log2(n); ++stage)
//   for (int pass = 0; pass <= stage; ++pass)
//     bitonic_pass(keys, n, stage, pass);
