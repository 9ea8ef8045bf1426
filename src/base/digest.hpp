// Content hashes and checksums.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace noctune {

// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);
// CRC-32 (IEEE 802.3, zlib's), for single journal lines.
std::uint32_t crc32(std::string_view bytes);
// A random (version 4) UUID from the operating system's generator.
std::string random_uuid();
// 64 bits from the operating system's generator, for secret seeds and nonces.
std::uint64_t random_u64();

}  // namespace noctune
