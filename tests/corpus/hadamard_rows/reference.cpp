#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long rows = call.integer("nrow"), len = call.integer("len");
  if ((len & (len - 1)) != 0) return "len must be a power of two";
  const Numbers& v = call.was("v");
  const double norm = 1 / std::sqrt(static_cast<double>(len));
  for (long long at = 0; at < rows * len; at += stride(rows * len, 500)) {
    const long long row = at / len, k = at % len;
    double want = 0, scale = 0;
    for (long long j = len - 1; j >= 0; --j) {
      const double term = norm * v[row * len + j];
      want += __builtin_parityll(static_cast<unsigned long long>(j & k)) ? -term : term;
      scale += std::fabs(term);
    }
    const std::string why = differs("v", at, call.now("v")[at], want, scale, 1e-6);
    if (!why.empty()) return why;
  }
  return {};
}
