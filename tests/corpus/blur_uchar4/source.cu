// Box blur along rows, edge pixels repeated. Alpha is passed through.
__global__ void blur_rows(const uchar4* in, uchar4* out, int width, int height, int radius)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    const int taps = 2 * radius + 1;
    const uchar4* row = in + (size_t)y * width;
    int r = 0, g = 0, b = 0;
    for (int k = -radius; k <= radius; ++k) {
        const int from = min(max(x + k, 0), width - 1);
        r += row[from].x;
        g += row[from].y;
        b += row[from].z;
    }
    out[(size_t)y * width + x] = make_uchar4((r + radius) / taps, (g + radius) / taps, (b + radius) / taps, row[x].w);
}
