// Both products column by column, in the hope of one access pattern for both: right, but now the first one
// jumps a whole row with every step as well, and all of it is one thread's.
extern "C" void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp) {
  for (int i = 0; i < nx; ++i) tmp[i] = 0.0f;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) tmp[i] += A[i * ny + j] * x[j];
  }
  for (int j = 0; j < ny; ++j) {
    y[j] = 0.0f;
    for (int i = 0; i < nx; ++i) y[j] += A[i * ny + j] * tmp[i];
  }
}
