// Thomas algorithm for many independent systems, interleaved: row i of system s lies at i * systems + s. The
// systems are strictly diagonally dominant (|b| > |a| + |c|), as the implicit scheme makes them.
void thomas(int systems, int rows, const double* a, const double* b, const double* c, const double* d,
            double* x, double* work) {
#pragma omp parallel for
  for (int s = 0; s < systems; ++s) {
    work[s] = c[s] / b[s];
    x[s] = d[s] / b[s];
    for (int i = 1; i < rows; ++i) {
      const int at = i * systems + s, above = at - systems;
      const double pivot = 1.0 / (b[at] - a[at] * work[above]);
      work[at] = c[at] * pivot;
      x[at] = (d[at] - a[at] * x[above]) * pivot;
    }
    for (int i = rows - 2; i >= 0; --i)
      x[i * systems + s] -= work[i * systems + s] * x[(i + 1) * systems + s];
  }
}
