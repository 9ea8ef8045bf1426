#define RADIUS 3
#define DIAMETER (2 * RADIUS + 1)

float filter_weights[DIAMETER * DIAMETER];  // set once per run by load_filter()

// The image is padded by RADIUS on every side, the result is not.
void correlate(const float *padded, float *result, int w, int h)
{
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0.0f;
      for (int fy = 0; fy < DIAMETER; fy++)
        for (int fx = 0; fx < DIAMETER; fx++)
          sum += padded[(y + fy) * (w + 2 * RADIUS) + x + fx] * filter_weights[fy * DIAMETER + fx];
      result[y * w + x] = sum;
    }
}
