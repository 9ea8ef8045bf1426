// Marks the cells that hold particles, then weighs them. In the application the marks come from calloc; here nobody
// clears those of empty cells.
void weigh_marks(int particles, int cells, const int* cell, const double* volume, double* touched, double* weight) {
  for (int i = 0; i < particles; ++i) touched[cell[i]] = 1.0;
#pragma omp parallel for
  for (int c = 0; c < cells; ++c) weight[c] = touched[c] * volume[c];
}

// weigh_marks(particles, cells, cell, volume, touched, weight);
