#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long width = call.integer("width"), height = call.integer("height");
  const long long amount = call.integer("amount");
  const unsigned char* src = call.before<unsigned char>("src");
  const unsigned char* dst = call.after<unsigned char>("dst");
  for (long long at = 0; at < width * height; at += stride(width * height)) {
    const long long x = at % width, y = at / width;
    long long want = src[at];
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
      long long detail = 0;
      for (const long long by : {1LL, -1LL, width, -width}) detail += src[at] - src[at + by];
      want += detail * amount / 16;
    }
    want = want < 0 ? 0 : want > 255 ? 255 : want;
    const std::string why = differs("dst", at, dst[at], static_cast<double>(want), 0, 0);
    if (!why.empty()) return why;
  }
  return {};
}
