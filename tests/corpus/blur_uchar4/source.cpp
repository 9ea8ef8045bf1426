struct Rgba;  // see pixel.h; the kernels take CUDA's uchar4

// Box blur along rows, edge pixels repeated. Alpha is passed through.
void blur_rows(const uchar4* in, uchar4* out, int width, int height, int radius)
{
    const int taps = 2 * radius + 1;
#pragma omp parallel for
    for (int y = 0; y < height; ++y) {
        const uchar4* row = in + (size_t)y * width;
        for (int x = 0; x < width; ++x) {
            int r = 0, g = 0, b = 0;
            for (int k = -radius; k <= radius; ++k) {
                int from = x + k;
                if (from < 0) from = 0;
                if (from > width - 1) from = width - 1;
                r += row[from].x;
                g += row[from].y;
                b += row[from].z;
            }
            uchar4 mean;
            mean.x = (unsigned char)((r + radius) / taps);
            mean.y = (unsigned char)((g + radius) / taps);
            mean.z = (unsigned char)((b + radius) / taps);
            mean.w = row[x].w;
            out[(size_t)y * width + x] = mean;
        }
    }
}
