void emphasise(int height, int width, const float* in, float* out)
{
    const float nw = -0.05f, n = -0.25f, ne = -0.15f;
    const float we = -0.35f, c = 2.5f, ea = -0.45f;
    const float sw = -0.12f, s = -0.22f, se = -0.08f;

#pragma omp parallel for collapse(2)
    for (int i = 1; i < height - 1; ++i) {
        for (int j = 1; j < width - 1; ++j) {
            out[i * width + j] =
                nw * in[(i - 1) * width + (j - 1)] + n * in[(i - 1) * width + j] + ne * in[(i - 1) * width + (j + 1)] +
                we * in[i * width + (j - 1)] + c * in[i * width + j] + ea * in[i * width + (j + 1)] +
                sw * in[(i + 1) * width + (j - 1)] + s * in[(i + 1) * width + j] + se * in[(i + 1) * width + (j + 1)];
        }
    }
}
