#define LEVELS 256

/* bins must be cleared by the caller: frames of one scene are added up */
__global__ void count_levels(unsigned char *pixels, int *bins, int npix)
{
    __shared__ int local[LEVELS];
    for (int b = threadIdx.x; b < LEVELS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < npix; i += gridDim.x * blockDim.x)
        atomicAdd(&local[pixels[i]], 1);
    __syncthreads();

    for (int b = threadIdx.x; b < LEVELS; b += blockDim.x)
        if (local[b]) atomicAdd(&bins[b], local[b]);
}
/* cudaMemset(bins, 0, LEVELS * sizeof(int)); count_levels<<<240, 256>>>(pixels, bins, npix); */
