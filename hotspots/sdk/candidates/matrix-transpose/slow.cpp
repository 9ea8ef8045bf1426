// By way of a buffer, so that `out` is written in order: the strided writes happen all the same, elsewhere.
#include <vector>

extern "C" void matrix_transpose(int rows, int cols, const float* in, float* out) {
  std::vector<float> turned(static_cast<long>(rows) * cols);
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) turned[j * rows + i] = in[i * cols + j];
  }
#pragma omp parallel for
  for (int at = 0; at < rows * cols; ++at) out[at] = turned[at];
}
