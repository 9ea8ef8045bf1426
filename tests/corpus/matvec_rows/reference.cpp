#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long rows = call.integer("nrow"), columns = call.integer("ncol");
  const Numbers &A = call.was("A"), &x = call.was("x");
  for (long long row = 0; row < rows; row += stride(rows, 400)) {
    double want = 0, scale = 0;
    for (long long column = columns - 1; column >= 0; --column) {
      const double term = A[row * columns + column] * x[column];
      want += term, scale += std::fabs(term);
    }
    const std::string why = differs("y", row, call.now("y")[row], want, scale, 1e-12);
    if (!why.empty()) return why;
  }
  return {};
}
