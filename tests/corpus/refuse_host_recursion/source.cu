// Quicksort: the host reads the split back, makes new work of it and calls itself on both parts.
#include "work_queue.h"

__global__ void split_range(double* keys, double* buffer, int begin, int end, double pivot, int* counters) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const int to = keys[i] < pivot ? atomicAdd(&counters[0], 1) : atomicSub(&counters[1], 1);
  buffer[to] = keys[i];
}

void sort_range(double* keys, double* buffer, int begin, int end, int* counters) {
  if (end - begin < 2) return;
  const double pivot = choose_pivot(keys, begin, end);
  reset_counters(counters, begin, end);
  split_range<<<(end - begin + 255) / 256, 256>>>(keys, buffer, begin, end, pivot, counters);
  const int middle = read_split(counters);
  copy_back(keys, buffer, begin, end);
  sort_range(keys, buffer, begin, middle, counters);
  sort_range(keys, buffer, middle, end, counters);
}
