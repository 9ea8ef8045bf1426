// SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed 64-bit checksum. A plugin that does not know the key
// cannot forge a frame. Pieces given to add() must be multiples of 8 bytes, except the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace noctune {

class SipHash {
 public:
  explicit SipHash(std::uint64_t key) {
    const std::uint64_t k0 = key, k1 = ~key * 0x9e3779b97f4a7c15ULL;
    v_[0] = k0 ^ 0x736f6d6570736575ULL;
    v_[1] = k1 ^ 0x646f72616e646f6dULL;
    v_[2] = k0 ^ 0x6c7967656e657261ULL;
    v_[3] = k1 ^ 0x7465646279746573ULL;
  }

  void add(const void* data, std::size_t size) {
    const char* at = static_cast<const char*>(data);
    total_ += size;
    for (; size >= 8; size -= 8, at += 8) {
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      absorb(word);
    }
    std::memcpy(&rest_, at, size);
  }

  std::uint64_t finish() {
    absorb(rest_ | (total_ << 56));
    v_[2] ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return v_[0] ^ v_[1] ^ v_[2] ^ v_[3];
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }
  void round() {
    v_[0] += v_[1];
    v_[2] += v_[3];
    v_[1] = rotate(v_[1], 13) ^ v_[0];
    v_[3] = rotate(v_[3], 16) ^ v_[2];
    v_[0] = rotate(v_[0], 32);
    v_[2] += v_[1];
    v_[0] += v_[3];
    v_[1] = rotate(v_[1], 17) ^ v_[2];
    v_[3] = rotate(v_[3], 21) ^ v_[0];
    v_[2] = rotate(v_[2], 32);
  }
  void absorb(std::uint64_t word) {
    v_[3] ^= word;
    round();
    round();
    v_[0] ^= word;
  }

  std::uint64_t v_[4];
  std::uint64_t rest_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace noctune
