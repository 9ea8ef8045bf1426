#define NX 1200
#define NY 900

/* coefficients of every sample on one basis vector, and the energy left in each sample */
void project_samples(int nx, int ny, float *samples, float *basis, float *coef, float *energy)
{
  int i, j;
  #pragma omp parallel for private(j)
  for (i = 0; i < nx; i++)
  {
    float dot = 0.0f, square = 0.0f;
    for (j = 0; j < ny; j++)
    {
      dot += samples[i * NY + j] * basis[j];
      square += samples[i * NY + j] * samples[i * NY + j];
    }
    coef[i] = dot;
    energy[i] = square - dot * dot;
  }
}

// project_samples(NX, NY, samples, basis, coef, energy);
