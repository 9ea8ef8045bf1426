// Orthonormal Walsh-Hadamard transform of every row, in place: a row a block, len / 2 threads, len floats of
// dynamic shared memory. len is a power of two, 2048 at most.
__global__ void hadamard_rows(float *v, int nrow, int len)
{
  extern __shared__ float line[];
  float *row = &v[blockIdx.x * len];
  const int t = threadIdx.x;

  line[t] = row[t];
  line[t + len / 2] = row[t + len / 2];
  for (int half = 1; half < len; half *= 2) {
    __syncthreads();
    const int k = 2 * half * (t / half) + t % half;
    const float a = line[k], b = line[k + half];
    line[k] = a + b;
    line[k + half] = a - b;
  }
  __syncthreads();

  const float norm = rsqrtf((float)len);
  row[t] = line[t] * norm;
  row[t + len / 2] = line[t + len / 2] * norm;
}
/* hadamard_rows<<<nrow, len / 2, len * sizeof(float)>>>(v, nrow, len); */
