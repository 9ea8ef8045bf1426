#include <cstdint>

static __device__ inline uint8_t saturate(int v) { return v < 0 ? 0 : (v > 255 ? 255 : static_cast<uint8_t>(v)); }

// Unsharp mask in fixed point: amount is in 1/16. Rim pixels are copied.
__global__ void unsharp(const uint8_t* src, uint8_t* dst, int width, int height, int amount)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int at = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        dst[at] = src[at];
        return;
    }
    const int around = src[at - 1] + src[at + 1] + src[at - width] + src[at + width];
    dst[at] = saturate(src[at] + ((4 * src[at] - around) * amount) / 16);
}

/* ...
   unsharp<<<dim3(divUp(w, 16), divUp(h, 16)), dim3(16, 16), 0, stream>>>(in, out, w, h, 8);
*/
