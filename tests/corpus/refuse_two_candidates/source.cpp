// Two filters that have nothing to do with each other, and nobody says which of them is the hotspot.
void blur_rows(int width, int height, const float* in, float* out) {
#pragma omp parallel for
  for (int y = 0; y < height; ++y)
    for (int x = 1; x < width - 1; ++x)
      out[y * width + x] =
          0.25f * in[y * width + x - 1] + 0.5f * in[y * width + x] + 0.25f * in[y * width + x + 1];
}

void add_gain(int n, float gain, const double* signal, double* louder) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) louder[i] = gain * signal[i];
}
