// The kernels and the solver for OpenMP.
#include "kernels.hpp"

#include <algorithm>

namespace {

void copy(int n, const double* from, double* to) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

// y = A x, A in compressed sparse rows.
void spmv(int rows, const int* row_ptr, const int* col, const double* val, const double* x, double* y) {
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    y[i] = 0.0;
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      y[i] += val[e] * x[col[e]];
    }
  }
}

// residual = before - product.
void subtract(int n, const double* before, const double* product, double* residual) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) residual[i] = before[i] - product[i];
}

void precondition(int n, const double* inverse_diagonal, const double* residual, double* preconditioned) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) preconditioned[i] = inverse_diagonal[i] * residual[i];
}

// direction = preconditioned + beta direction.
void turn(int n, double beta, const double* preconditioned, double* direction) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) direction[i] = preconditioned[i] + beta * direction[i];
}

// One step of length alpha along the direction, for the solution and for its residual.
void advance(int n, double alpha, const double* direction, const double* product, double* heat,
             double* residual) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    heat[i] += alpha * direction[i];
    residual[i] -= alpha * product[i];
  }
}

// The right-hand side: what was there, and what the sources give.
void heat_up(int n, double dt, const double* heat, const double* source, double* before) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) before[i] = heat[i] + dt * source[i];
}

double dot(int n, const double* x, const double* y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

int implicit_step(System& system, double dt, double tolerance, int most) {
  const int n = system.rows;
  double *heat = system.heat.data(), *before = system.before.data(), *residual = system.residual.data(),
         *preconditioned = system.preconditioned.data(), *direction = system.direction.data(),
         *product = system.product.data();
  heat_up(n, dt, heat, system.source.data(), before);
  spmv(n, system.row_ptr.data(), system.col.data(), system.val.data(), heat, product);
  subtract(n, before, product, residual);
  precondition(n, system.inverse_diagonal.data(), residual, preconditioned);
  copy(n, preconditioned, direction);
  const double enough = tolerance * tolerance * dot(n, before, before);
  double weight = dot(n, residual, preconditioned);
  int iterations = 0;
  while (iterations < most && !(dot(n, residual, residual) <= enough)) {
    ++iterations;
    spmv(n, system.row_ptr.data(), system.col.data(), system.val.data(), direction, product);
    advance(n, weight / dot(n, direction, product), direction, product, heat, residual);
    precondition(n, system.inverse_diagonal.data(), residual, preconditioned);
    const double last = weight;
    weight = dot(n, residual, preconditioned);
    turn(n, weight / last, preconditioned, direction);
  }
  return iterations;
}
