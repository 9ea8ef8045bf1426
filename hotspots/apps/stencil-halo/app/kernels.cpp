// The kernels and the time step for OpenMP.
#include "kernels.hpp"

namespace {

std::size_t place(const Block& block, int x, int y, int z) {
  return (static_cast<std::size_t>(z + halo) * (block.ny + 2 * halo) + (y + halo)) * (block.nx + 2 * halo) +
         (x + halo);
}

void pack(const Block& block, Box box, const double* from, double* message) {
#pragma omp parallel for
  for (int k = 0; k < box.nz; ++k) {
    for (int j = 0; j < box.ny; ++j) {
      for (int i = 0; i < box.nx; ++i) {
        message[(k * box.ny + j) * box.nx + i] = from[place(block, box.x + i, box.y + j, box.z + k)];
      }
    }
  }
}

void unpack(const Block& block, Box box, const double* message, double* to) {
#pragma omp parallel for
  for (int k = 0; k < box.nz; ++k) {
    for (int j = 0; j < box.ny; ++j) {
      for (int i = 0; i < box.nx; ++i) {
        to[place(block, box.x + i, box.y + j, box.z + k)] = message[(k * box.ny + j) * box.nx + i];
      }
    }
  }
}

// The layers beyond a wall mirror those before it with the other sign, so that the wall itself stays at zero.
void cool_walls(const Block& block, double* u) {
#pragma omp parallel for
  for (int j = 0; j < block.ny; ++j) {
    for (int i = 0; i < block.nx; ++i) {
      for (int layer = 0; layer < halo; ++layer) {
        u[place(block, i, j, -1 - layer)] = -u[place(block, i, j, layer)];
        u[place(block, i, j, block.nz + layer)] = -u[place(block, i, j, block.nz - 1 - layer)];
      }
    }
  }
}

// to = from + (cx x2 + cy y2 + cz z2) / 12, with fourth-order second differences.
void stencil_halo(int nx, int ny, int nz, double cx, double cy, double cz, const double* from, double* to) {
#pragma omp parallel for
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        int row = nx + 4;
        int plane = row * (ny + 4);
        int at = (k + 2) * plane + (j + 2) * row + (i + 2);
        double x2 = -from[at - 2] + 16 * from[at - 1] - 30 * from[at] + 16 * from[at + 1] - from[at + 2];
        double y2 = -from[at - 2 * row] + 16 * from[at - row] - 30 * from[at] + 16 * from[at + row] -
                    from[at + 2 * row];
        double z2 = -from[at - 2 * plane] + 16 * from[at - plane] - 30 * from[at] + 16 * from[at + plane] -
                    from[at + 2 * plane];
        to[at] = from[at] + (cx * x2 + cy * y2 + cz * z2) / 12;
      }
    }
  }
}

double sum(const Block& block, const double* u) {
  double heat = 0;
#pragma omp parallel for reduction(+ : heat)
  for (int k = 0; k < block.nz; ++k) {
    for (int j = 0; j < block.ny; ++j) {
      for (int i = 0; i < block.nx; ++i) heat += u[place(block, i, j, k)];
    }
  }
  return heat;
}

void send(Block& from, Box inside, Block& to, Box beyond) {
  pack(from, inside, from.now().data(), to.message.data());
  unpack(to, beyond, to.message.data(), to.now().data());
}

}  // namespace

void heat_step(Domain& domain, const double (&c)[3]) {
  for (int b = 0; b < 4; ++b) {
    Block &own = *domain[b], &aside = *domain[b ^ 1], &ahead = *domain[b ^ 2];
    send(aside, {aside.nx - halo, 0, 0, halo, own.ny, own.nz}, own, {-halo, 0, 0, halo, own.ny, own.nz});
    send(aside, {0, 0, 0, halo, own.ny, own.nz}, own, {own.nx, 0, 0, halo, own.ny, own.nz});
    send(ahead, {0, ahead.ny - halo, 0, own.nx, halo, own.nz}, own, {0, -halo, 0, own.nx, halo, own.nz});
    send(ahead, {0, 0, 0, own.nx, halo, own.nz}, own, {0, own.ny, 0, own.nx, halo, own.nz});
    cool_walls(own, own.now().data());
  }
  for (auto& block : domain) {
    stencil_halo(block->nx, block->ny, block->nz, c[0], c[1], c[2], block->now().data(),
                 block->next().data());
    block->swapped = !block->swapped;
  }
}

double total_heat(Domain& domain) {
  double heat = 0;
  for (auto& block : domain) heat += sum(*block, block->now().data());
  return heat;
}
