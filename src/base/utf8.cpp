#include "base/utf8.hpp"

namespace noctune {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

// How a sequence goes on after its first byte: its length and the range of the second byte, which is narrower
// than 80..BF after some first bytes (overlong forms, surrogates, beyond U+10FFFF).
struct Shape {
  std::size_t length;
  unsigned char low = 0x80, high = 0xBF;
};

Shape shape_of(unsigned char first) {
  if (first < 0x80) return {1};
  if (first >= 0xC2 && first <= 0xDF) return {2};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first >= 0xE1 && first <= 0xEF) return {3};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  if (first >= 0xF1 && first <= 0xF3) return {4};
  return {0};
}

struct Sequence {
  std::size_t length;  // bytes that belong together, at least 1
  bool valid;
};

Sequence sequence_at(std::string_view bytes, std::size_t at) {
  const Shape shape = shape_of(byte_at(bytes, at));
  if (shape.length == 0) return {1, false};
  for (std::size_t i = 1; i < shape.length; ++i) {
    const unsigned char next = byte_at(bytes, at + i);
    const bool fits = i == 1 ? next >= shape.low && next <= shape.high : next >= 0x80 && next <= 0xBF;
    if (!fits) return {i, false};
  }
  return {shape.length, true};
}

}  // namespace

std::string repaired_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const Sequence next = sequence_at(bytes, at);
    out += next.valid ? bytes.substr(at, next.length) : replacement;
    at += next.length;
  }
  return out;
}

bool valid_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const Sequence next = sequence_at(bytes, at);
    if (!next.valid) return false;
    at += next.length;
  }
  return true;
}

}  // namespace noctune
