__global__ void emphasise(int height, int width, const float* in, float* out)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    const float nw = -0.05f, n = -0.25f, ne = -0.15f;
    const float we = -0.35f, c = 2.5f, ea = -0.45f;
    const float sw = -0.12f, s = -0.22f, se = -0.08f;

    if ((i > 0) && (j > 0) && (i < height - 1) && (j < width - 1)) {
        out[i * width + j] =
            nw * in[(i - 1) * width + (j - 1)] + n * in[(i - 1) * width + j] + ne * in[(i - 1) * width + (j + 1)] +
            we * in[i * width + (j - 1)] + c * in[i * width + j] + ea * in[i * width + (j + 1)] +
            sw * in[(i + 1) * width + (j - 1)] + s * in[(i + 1) * width + j] + se * in[(i + 1) * width + (j + 1)];
    }
}
