#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long rows = call.integer("rows"), columns = call.integer("cols");
  const double least = call.real("floor_value");
  const Numbers &data = call.was("data"), &unit = call.now("unit");
  const double tolerance = unit.epsilon() * (8 + std::sqrt(static_cast<double>(columns)));
  for (long long r = 0; r < rows; r += stride(rows, 200)) {
    double square = 0;
    for (long long c = columns - 1; c >= 0; --c) square += data[r * columns + c] * data[r * columns + c];
    const double norm = std::sqrt(square), divisor = norm > least ? norm : least;
    std::string why = differs("length", r, call.now("length")[r], norm, 0, tolerance);
    for (long long c = r % 3; c < columns && why.empty(); c += stride(columns, 50)) {
      const long long at = r * columns + c;
      why = differs("unit", at, unit[at], data[at] / divisor, 0, tolerance);
    }
    if (!why.empty()) return why;
  }
  return {};
}
