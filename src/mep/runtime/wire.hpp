// The frames of a driver's report, shared by the driver that writes and Noctune that parses (docs/mep.md).
// All numbers are in the machine's own byte order: both run on one node.
#pragma once

#include <cstddef>
#include <cstdint>

#include "siphash.hpp"

namespace noctune {

constexpr std::uint32_t frame_magic = 0x464d434e;  // "NCMF"
constexpr std::uint64_t wire_version = 2;
constexpr std::uint64_t no_run =
    ~std::uint64_t{0};  // the run of outputs that were verified inside a timed sample

enum class FrameType : std::uint32_t {
  hello = 1,
  run_begin = 2,
  output = 3,
  run_end = 4,
  probe = 5,
  verified = 6,
  time = 7,
  error = 8,
  end = 9,
  judged = 10,
  device = 11
};

enum class Fault : std::uint32_t { none = 0, plugin = 1, driver = 2, peer = 3 };

// A payload of `length` bytes follows, then zeros up to a multiple of 8.
struct FrameHeader {
  std::uint32_t magic;
  std::uint32_t type;
  std::uint64_t sequence;  // counts frames from 0
  std::uint64_t length;
  std::uint64_t tag;  // keyed with the nonce, over all of the above and the payload
};
static_assert(sizeof(FrameHeader) == 32, "frames are written as they lie in memory");

inline std::size_t padded(std::size_t length) {
  return (length + 7) / 8 * 8;
}

// `head` bytes of the payload (a multiple of 8), then the rest.
inline std::uint64_t frame_tag(const FrameHeader& header, std::uint64_t nonce, const void* head,
                               std::size_t head_size, const void* rest = nullptr, std::size_t rest_size = 0) {
  SipHash hash(nonce);
  hash.add(&header, offsetof(FrameHeader, tag));
  hash.add(head, head_size);
  if (rest_size > 0) hash.add(rest, rest_size);
  return hash.finish();
}

}  // namespace noctune
