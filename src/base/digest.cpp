#include "base/digest.hpp"

#include <openssl/evp.h>
#include <sys/random.h>
#include <zlib.h>

#include <array>
#include <stdexcept>

namespace noctune {
namespace {

std::string hex(const unsigned char* bytes, std::size_t count) {
  static const char digits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += digits[bytes[i] >> 4];
    out += digits[bytes[i] & 15];
  }
  return out;
}

void fill_random(void* bytes, std::size_t count) {
  if (::getrandom(bytes, count, 0) != static_cast<ssize_t>(count))
    throw std::runtime_error("getrandom failed");
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned int length = 0;
  if (!EVP_Digest(bytes.data(), bytes.size(), out.data(), &length, EVP_sha256(), nullptr))
    throw std::runtime_error("SHA-256 is not available in this OpenSSL");
  return hex(out.data(), length);
}

std::uint32_t crc32(std::string_view bytes) {
  uLong sum = ::crc32(0L, Z_NULL, 0);
  while (!bytes.empty()) {
    const std::size_t step = std::min<std::size_t>(bytes.size(), 1U << 30);
    sum = ::crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(step));
    bytes.remove_prefix(step);
  }
  return static_cast<std::uint32_t>(sum);
}

std::string random_uuid() {
  std::array<unsigned char, 16> bytes{};
  fill_random(bytes.data(), bytes.size());
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string out = hex(bytes.data(), bytes.size());
  for (std::size_t at : {8U, 13U, 18U, 23U}) out.insert(at, "-");
  return out;
}

std::uint64_t random_u64() {
  std::uint64_t value = 0;
  fill_random(&value, sizeof value);
  return value;
}

}  // namespace noctune
