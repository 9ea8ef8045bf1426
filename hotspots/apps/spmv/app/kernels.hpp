// What runs on the device: an implicit time step, solved by conjugate gradients with the diagonal as
// preconditioner. kernels.cpp holds it for OpenMP, kernels.cu for GPUs.
#pragma once

#include "device.hpp"
#include "network.hpp"

constexpr int sums = 256;  // parts of a dot product

struct System {
  int rows;
  host::Buffer<int> row_ptr, col;
  host::Buffer<double> val, inverse_diagonal;
  host::Buffer<double> heat, source, before;  // before: right-hand side of the last step
  host::Buffer<double> residual, preconditioned, direction, product, partial;

  System(const Matrix& matrix, std::vector<double> initial, std::vector<double> sources)
      : rows(static_cast<int>(initial.size())),
        row_ptr(matrix.row_ptr),
        col(matrix.col),
        val(matrix.val),
        inverse_diagonal(matrix.inverse_diagonal),
        heat(std::move(initial)),
        source(std::move(sources)),
        before(rows),
        residual(rows),
        preconditioned(rows),
        direction(rows),
        product(rows),
        partial(sums) {}
};

// Solves A heat' = heat + dt source until the residual is `tolerance` of the right-hand side, or for `most`
// iterations; how many it took.
int implicit_step(System& system, double dt, double tolerance, int most);
