#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long pixels = call.integer("npix");
  const unsigned char* level = call.before<unsigned char>("pixels");
  long long counted[256] = {};
  for (long long i = pixels - 1; i >= 0; --i) ++counted[level[i]];
  for (int bin = 0; bin < 256; ++bin) {
    const std::string why =
        differs("bins", bin, call.now("bins")[bin], call.was("bins")[bin] + double(counted[bin]), 0, 0);
    if (!why.empty()) return why;
  }
  return {};
}
