#define TILE 32
#define BLOCK_ROWS 8

// out = transpose of in. One tile a block, TILE x BLOCK_ROWS threads; no guard.
__global__ void transpose_tiles(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += BLOCK_ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];

    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += BLOCK_ROWS)
        out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

// dim3 grid(cols / TILE, rows / TILE), block(TILE, BLOCK_ROWS);
// transpose_tiles<<<grid, block>>>(d_in, d_out, rows, cols);
