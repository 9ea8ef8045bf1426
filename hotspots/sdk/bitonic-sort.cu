// Bitonic sort of n keys, n a power of two, ascending and in place: runs of `width` keys are merged, those
// with an odd number in descending order, by comparing keys that lie width / 2, width / 4, ..., 1 apart.
__global__ void compare_pairs(int n, int width, int distance, unsigned int* keys) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair < n / 2) {
    int left = pair / distance * 2 * distance + pair % distance;
    int right = left + distance;
    bool ascending = left / width % 2 == 0;
    if ((keys[left] > keys[right]) == ascending) {
      unsigned int key = keys[left];
      keys[left] = keys[right];
      keys[right] = key;
    }
  }
}

extern "C" void bitonic_sort(int n, unsigned int* keys, mep_stream_t stream) {
  for (int width = 2; width <= n; width *= 2) {
    for (int distance = width / 2; distance > 0; distance /= 2) {
      compare_pairs<<<(n / 2 + 255) / 256, 256, 0, stream>>>(n, width, distance, keys);
    }
  }
}
