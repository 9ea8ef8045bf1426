// Sizes of those hotspots that take powers of two only.
#pragma once

namespace sdk {

// The largest power of two that is no more than `size`, and at least 2.
inline long power_of_two(long size) {
  long power = 2;
  while (power <= size / 2) power *= 2;
  return power;
}

inline int log2_of(long power) {
  int log2 = 0;
  while (power > 1) {
    power /= 2;
    ++log2;
  }
  return log2;
}

}  // namespace sdk
