#include <cstdint>

namespace imaging {

inline uint8_t saturate(int v) { return v < 0 ? 0 : (v > 255 ? 255 : static_cast<uint8_t>(v)); }

// Unsharp mask in fixed point: amount is in 1/16. Rim pixels are copied.
void unsharp(const uint8_t* src, uint8_t* dst, int width, int height, int amount)
{
    #pragma omp parallel for
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int at = y * width + x;
            if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
                dst[at] = src[at];
                continue;
            }
            const int around = src[at - 1] + src[at + 1] + src[at - width] + src[at + width];
            dst[at] = saturate(src[at] + ((4 * src[at] - around) * amount) / 16);
        }
    }
}

}  // namespace imaging
