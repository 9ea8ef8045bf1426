// Counter-based integer generator shared by Noctune and every driver: a number is a pure function of
// (seed, stream, index), so any thread or device can make any element. Conversions use exact operations only
// (no libm), so that all sides agree to the bit; compile with -ffp-contract=off.
#pragma once

#include <cstdint>

#include "both.hpp"

namespace noctune {

NOCTUNE_BOTH inline std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// A stream's key: parameters and data sets draw from streams of their own.
NOCTUNE_BOTH inline std::uint64_t stream_key(std::uint64_t seed, std::uint64_t stream) {
  return mix_bits(mix_bits(seed + 0x9e3779b97f4a7c15ULL) ^
                  (stream * 0xd1342543de82ef95ULL + 0x2545f4914f6cdd1dULL));
}

NOCTUNE_BOTH inline std::uint64_t draw(std::uint64_t key, std::uint64_t index) {
  return mix_bits(key + (index + 1) * 0x9e3779b97f4a7c15ULL);
}

// The upper half of a 128-bit product: `bits` scaled to 0 .. range-1.
NOCTUNE_BOTH inline std::uint64_t scaled(std::uint64_t bits, std::uint64_t range) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * range) >> 64);
}

// In [0, 1), a multiple of 2^-53.
NOCTUNE_BOTH inline double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// Mean 0, variance 1 (twelve 16-bit uniforms summed as integers), within +-6.
NOCTUNE_BOTH inline double near_normal(std::uint64_t key, std::uint64_t index) {
  std::int64_t sum = 0;
  for (std::uint64_t word = 0; word < 3; ++word) {
    const std::uint64_t bits = draw(key, 3 * index + word);
    for (int shift = 0; shift < 64; shift += 16) sum += static_cast<std::int64_t>((bits >> shift) & 0xffff);
  }
  return static_cast<double>(2 * sum - 12 * 65535) * 0x1p-17;
}

// Position `index` of a permutation of 0 .. n-1: a Feistel network on the next even power of two, walked
// until it lands inside.
NOCTUNE_BOTH inline std::uint64_t permuted(std::uint64_t key, std::uint64_t n, std::uint64_t index) {
  unsigned half = 1;
  while (half < 32 && (1ULL << (2 * half)) < n) ++half;
  const std::uint64_t mask = (1ULL << half) - 1;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (draw(key + round, right) & mask);
      left = right;
      right = next;
    }
    index = (left << half) | right;
  } while (index >= n);
  return index;
}

// The index that permuted() takes to `place`.
NOCTUNE_BOTH inline std::uint64_t unpermuted(std::uint64_t key, std::uint64_t n, std::uint64_t place) {
  unsigned half = 1;
  while (half < 32 && (1ULL << (2 * half)) < n) ++half;
  const std::uint64_t mask = (1ULL << half) - 1;
  do {
    std::uint64_t left = place >> half, right = place & mask;
    for (std::uint64_t round = 4; round-- > 0;) {
      const std::uint64_t before = right ^ (draw(key + round, left) & mask);
      right = left;
      left = before;
    }
    place = (left << half) | right;
  } while (place >= n);
  return place;
}

// Streams below this one are the parameters' own; data set d draws its structure from this plus d, and the
// values that its parts have in common from the next plus d.
constexpr std::uint64_t csr_structure_stream = 1u << 20;
constexpr std::uint64_t joint_values_stream = 2u << 20;

// CSR rows: each has nnz_min .. nnz_max entries; the j-th of k columns comes from the j-th of k equal strata,
// so columns are sorted, unique and in range.
NOCTUNE_BOTH inline std::uint64_t csr_row_length(std::uint64_t key, std::uint64_t row, std::uint64_t nnz_min,
                                                 std::uint64_t nnz_max) {
  return nnz_min + scaled(draw(key, row), nnz_max - nnz_min + 1);
}
NOCTUNE_BOTH inline std::uint64_t csr_stratum(std::uint64_t j, std::uint64_t k, std::uint64_t cols) {
#if defined(__HIP_DEVICE_COMPILE__)
  // Division of 128 bits by hand: AMD's back end has none. The quotient is below 2^64, since j <= k.
  std::uint64_t quotient = 0, rest = scaled(j, cols);
  const std::uint64_t low = j * cols;
  for (int bit = 63; bit >= 0; --bit) {
    rest = (rest << 1) | ((low >> bit) & 1);
    if (rest < k) continue;
    rest -= k;
    quotient |= std::uint64_t{1} << bit;
  }
  return quotient;
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(j) * cols / k);
#endif
}
NOCTUNE_BOTH inline std::uint64_t csr_column(std::uint64_t bits, std::uint64_t j, std::uint64_t k,
                                             std::uint64_t cols) {
  const std::uint64_t first = csr_stratum(j, k, cols), next = csr_stratum(j + 1, k, cols);
  return first + scaled(bits, next - first);
}

}  // namespace noctune
