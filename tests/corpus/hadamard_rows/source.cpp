// Orthonormal Walsh-Hadamard transform of every row, in place. len is a power of two.
void hadamard_rows(float *v, int nrow, int len)
{
  const float norm = 1.0f / __builtin_sqrtf((float)len);
  #pragma omp parallel for
  for (int r = 0; r < nrow; r++) {
    float *row = &v[r * len];
    for (int half = 1; half < len; half *= 2) {
      for (int start = 0; start < len; start += 2 * half) {
        for (int k = start; k < start + half; k++) {
          const float a = row[k], b = row[k + half];
          row[k] = a + b;
          row[k + half] = a - b;
        }
      }
    }
    for (int k = 0; k < len; k++) row[k] *= norm;
  }
}
