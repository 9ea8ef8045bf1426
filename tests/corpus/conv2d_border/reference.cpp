#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  static const double weight[3][3] = {{-0.05, -0.25, -0.15}, {-0.35, 2.5, -0.45}, {-0.12, -0.22, -0.08}};
  const long long height = call.integer("height"), width = call.integer("width");
  const Numbers &in = call.was("in"), &out = call.now("out");
  // The last element that is written ends the search: whoever reads the indices may end the buffer there.
  for (long long at = 0; at < (height - 1) * width - 1; at += stride(height * width)) {
    const long long i = at / width, j = at % width;
    if (i == 0 || j == 0 || i == height - 1 || j == width - 1) {
      if (!call.untouched("out", at)) return "the border of out was written";
      continue;
    }
    double want = 0, scale = 0;
    for (int column = 2; column >= 0; --column)
      for (int row = 2; row >= 0; --row) {
        const double term = weight[row][column] * in[(i + row - 1) * width + j + column - 1];
        want += term, scale += std::fabs(term);
      }
    const std::string why = differs("out", at, out[at], want, scale, 1e-6);
    if (!why.empty()) return why;
  }
  return {};
}
