#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long width = call.integer("width"), height = call.integer("height");
  const long long radius = call.integer("radius");
  const unsigned char* in = call.before<unsigned char>("in");
  const unsigned char* out = call.after<unsigned char>("out");
  for (long long at = 0; at < width * height; at += stride(width * height)) {
    const long long x = at % width, start = at - x;
    for (int channel = 0; channel < 4; ++channel) {
      long long sum = radius;
      for (long long from = x + radius; from >= x - radius; --from) {
        const long long inside = from < 0 ? 0 : from >= width ? width - 1 : from;
        sum += in[4 * (start + inside) + channel];
      }
      const long long want = channel == 3 ? in[4 * at + 3] : (sum / (2 * radius + 1)) & 255;
      const std::string why =
          differs("out", 4 * at + channel, out[4 * at + channel], static_cast<double>(want), 0, 0);
      if (!why.empty()) return why;
    }
  }
  return {};
}
