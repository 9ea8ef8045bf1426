// Histogram of n readings over `bins` equal intervals of 0 .. range - 1; readings outside count nowhere.
// counts[b] = number of i with floor(readings[i] * bins / range) == b.
extern "C" void histogram(int n, int bins, int range, const int* readings, int* counts) {
  for (int b = 0; b < bins; ++b) {
    counts[b] = 0;
  }
  for (int i = 0; i < n; ++i) {
    if (readings[i] >= 0 && readings[i] < range) {
      counts[readings[i] * bins / range] += 1;
    }
  }
}
