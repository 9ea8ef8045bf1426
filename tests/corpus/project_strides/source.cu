#define NX 1200
#define NY 900

/* coefficients of every sample on one basis vector, and the energy left in each sample */
__global__ void project_samples(int nx, int ny, float *samples, float *basis, float *coef, float *energy)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx)
  {
    float dot = 0.0f, square = 0.0f;
    for (int j = 0; j < ny; j++)
    {
      dot += samples[i * NY + j] * basis[j];
      square += samples[i * NY + j] * samples[i * NY + j];
    }
    coef[i] = dot;
    energy[i] = square - dot * dot;
  }
}

// project_samples<<<(NX + 255) / 256, 256>>>(NX, NY, samples, basis, coef, energy);
