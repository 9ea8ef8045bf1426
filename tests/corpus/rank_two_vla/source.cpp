/* A := A + u1 v1' + u2 v2', then y := y + beta * A' x. Arrays are declared by POLY-style macros in the
   application; here as the preprocessor left them. */
static void kernel_rank_two(int n, DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE u1[N], DATA_TYPE v1[N], DATA_TYPE u2[N],
                            DATA_TYPE v2[N], DATA_TYPE y[N], DATA_TYPE x[N])
{
  int i, j;
  #pragma omp parallel
  {
    #pragma omp for private(j)
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];

    #pragma omp for private(j)
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        y[i] = y[i] + beta * A[j][i] * x[j];
  }
}
