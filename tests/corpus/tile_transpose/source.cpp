#define TILE 32

// out = transpose of in, tile by tile through a buffer that stays in L1. rows and cols are multiples of TILE.
void transpose_tiles(const float* in, float* out, int rows, int cols)
{
#pragma omp parallel for collapse(2)
    for (int by = 0; by < rows / TILE; ++by) {
        for (int bx = 0; bx < cols / TILE; ++bx) {
            float tile[TILE][TILE + 1];
            for (int ty = 0; ty < TILE; ++ty)
                for (int tx = 0; tx < TILE; ++tx)
                    tile[ty][tx] = in[(by * TILE + ty) * cols + bx * TILE + tx];
            for (int ty = 0; ty < TILE; ++ty)
                for (int tx = 0; tx < TILE; ++tx)
                    out[(bx * TILE + ty) * rows + by * TILE + tx] = tile[tx][ty];
        }
    }
}
