// An application with one kernel, called with two shapes, five times in all; and one with a struct and a name
// that is none.
#include <vector>

#include "noctune_capture.hpp"

namespace {

struct Cell {
  float density;
  int kind, flags;
};

void smooth(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

void count(const Cell* cells, long n, unsigned* kinds) {
  for (long i = 0; i < n; ++i) ++kinds[cells[i].kind];
}

}  // namespace

int main() {
  for (int step = 0; step < 5; ++step) {
    const int n = step % 2 == 0 ? 10 : 12;
    const double a = 0.5 * step;
    std::vector<double> x(static_cast<std::size_t>(n), 1.25), y(static_cast<std::size_t>(n), step);
    NOCTUNE_CAPTURE("smooth", NOCTUNE_NO_GRID, NOCTUNE_VALUE(n), NOCTUNE_VALUE(a),
                    NOCTUNE_IN_AS("x", x.data(), n), NOCTUNE_INOUT_AS("y", y.data(), n));
    smooth(n, a, x.data(), y.data());
  }
  std::vector<Cell> cells(7, Cell{0.5F, 1, 0});
  std::vector<unsigned> kinds(2, 0);
  NOCTUNE_CAPTURE("count", NOCTUNE_NO_GRID, NOCTUNE_IN(cells.data(), cells.size()), NOCTUNE_VALUE_AS("n", 7L),
                  NOCTUNE_OUT_AS("kinds", kinds.data(), 2));
  count(cells.data(), 7, kinds.data());
  return kinds[1] == 7 ? 0 : 1;
}
