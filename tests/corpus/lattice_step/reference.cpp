#include <algorithm>

#include "corpus/reference.hpp"

namespace {

const int kX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, kY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
const int kBack[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
const char *kFrom[9] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"},
           *kTo[9] = {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"};

struct Cell {
  double in[9], out[9], scale = 0, speed = 0;
};

// The directions in a loop, in double precision.
Cell relaxed(const corpus::Call& call, long long x, long long y) {
  const long long nx = call.integer("nx"), ny = call.integer("ny"), shift = call.integer("y_shift");
  Cell cell;
  double rho = 0, u[2] = {};
  for (int d = 0; d < 9; ++d) {
    const long long from = (y + ny - kY[d] * shift) % ny * nx + (x + nx - kX[d]) % nx;
    cell.in[d] = call.before<float>(kFrom[d])[from];
    rho += cell.in[d];
    u[0] += kX[d] * cell.in[d];
    u[1] += kY[d] * cell.in[d];
    cell.scale += std::fabs(cell.in[d]);
  }
  rho = std::max(rho, call.real("floor_density"));
  for (double& component : u) component /= rho;
  cell.speed = std::hypot(u[0], u[1]);
  const double spread = cell.scale / rho;  // above 1 where populations cancel
  cell.scale *= 1 + 10 * spread * spread;
  for (int d = 0; d < 9; ++d) {
    const double cu = kX[d] * u[0] + kY[d] * u[1], weight = d == 0 ? 4.0 / 9 : d < 5 ? 1.0 / 9 : 1.0 / 36;
    const double balance =
        weight * rho *
        ((1 + 1.5 * cu) * (1 + 1.5 * cu) + 2.25 * cu * cu - 1.5 * u[0] * u[0] - 1.5 * u[1] * u[1]);
    cell.out[d] = cell.in[d] + call.real("omega") * (balance - cell.in[d]);
  }
  return cell;
}

}  // namespace

// About 60 rows: all cells and their sums.
std::string corpus::reference(const Call& call) {
  const long long nx = call.integer("nx"), ny = call.integer("ny");
  for (long long y = 0; y < ny; y += ny / 60 + 1) {
    double speeds = 0;
    long long fluid = 0;
    for (long long x = 0; x < nx; ++x) {
      const Cell cell = relaxed(call, x, y);
      const bool solid = call.before<int>("obstacles")[y * nx + x] != 0;
      for (int d = 0; d < 9; ++d) {
        std::string wrong = differs(kTo[d], y * nx + x, call.after<float>(kTo[d])[y * nx + x],
                                    solid ? cell.in[kBack[d]] : cell.out[d], cell.scale, 1e-5);
        if (!wrong.empty()) return wrong;
      }
      speeds += solid ? 0 : cell.speed;
      fluid += solid ? 0 : 1;
    }
    std::string wrong = differs("fluid_count", y, call.after<int>("fluid_count")[y], double(fluid), 0, 0);
    if (wrong.empty())
      wrong = differs("speed_sum", y, call.after<float>("speed_sum")[y], speeds, double(nx), 1e-4);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
