// Quicksort: each call splits its range by a parallel partition and calls itself on both parts.
#include "partition.h"

void sort_range(double* keys, double* buffer, long begin, long end, int depth) {
  if (end - begin < 2) return;
  const double pivot = choose_pivot(keys, begin, end, depth);
  const long middle = parallel_partition(keys, buffer, begin, end, pivot);
#pragma omp task shared(keys, buffer) if (depth < 8)
  sort_range(keys, buffer, begin, middle, depth + 1);
#pragma omp task shared(keys, buffer) if (depth < 8)
  sort_range(keys, buffer, middle, end, depth + 1);
#pragma omp taskwait
}
