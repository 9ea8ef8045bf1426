// Histogram of n values from 0 to 255, in two steps: each block counts 1024 of them into bins of its own,
// then the blocks' bins are added up. A block's bins lie in part one block after the other.
extern "C" void histogram(int n, const unsigned int* values, unsigned int* part, unsigned int* counts) {
  int blocks = (n + 1023) / 1024;
#pragma omp parallel for
  for (int block = 0; block < blocks; ++block) {
    for (int bin = 0; bin < 256; ++bin) {
      part[256 * block + bin] = 0;
    }
    for (int i = 1024 * block; i < 1024 * (block + 1) && i < n; ++i) {
      part[256 * block + values[i]] += 1;
    }
  }
  for (int bin = 0; bin < 256; ++bin) {
    counts[bin] = 0;
    for (int block = 0; block < blocks; ++block) {
      counts[bin] += part[256 * block + bin];
    }
  }
}
