// Bitonic sort of n keys, n a power of two, ascending and in place: runs of `width` keys are merged, those
// with an odd number in descending order, by comparing keys that lie width / 2, width / 4, ..., 1 apart.
extern "C" void bitonic_sort(int n, unsigned int* keys) {
  for (int width = 2; width <= n; width *= 2) {
    for (int distance = width / 2; distance > 0; distance /= 2) {
#pragma omp parallel for
      for (int pair = 0; pair < n / 2; ++pair) {
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
  }
}
