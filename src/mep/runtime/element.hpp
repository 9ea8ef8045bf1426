// Element types as the command file names them, and how a number becomes one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "both.hpp"

namespace noctune {

enum class Element { f64, f32, f16, bf16, i8, u8, i16, u16, i32, u32, i64, u64, boolean, c64, c128 };

struct ElementTraits {
  const char* name;
  Element element;
  std::size_t bytes;
  int components;
};

inline const ElementTraits* find_element(const char* name) {
  static const ElementTraits known[] = {
      {"f64", Element::f64, 8, 1},      {"f32", Element::f32, 4, 1}, {"f16", Element::f16, 2, 1},
      {"bf16", Element::bf16, 2, 1},    {"i8", Element::i8, 1, 1},   {"u8", Element::u8, 1, 1},
      {"i16", Element::i16, 2, 1},      {"u16", Element::u16, 2, 1}, {"i32", Element::i32, 4, 1},
      {"u32", Element::u32, 4, 1},      {"i64", Element::i64, 8, 1}, {"u64", Element::u64, 8, 1},
      {"bool", Element::boolean, 1, 1}, {"c64", Element::c64, 8, 2}, {"c128", Element::c128, 16, 2}};
  for (const ElementTraits& traits : known)
    if (std::strcmp(traits.name, name) == 0) return &traits;
  return nullptr;
}

// 16-bit floats by their bits, since not every compiler has the types.
struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};

template <class T>
struct IsFloating {
  static constexpr bool value = false;
};
template <>
struct IsFloating<double> {
  static constexpr bool value = true;
};
template <>
struct IsFloating<float> {
  static constexpr bool value = true;
};
template <>
struct IsFloating<Half> {
  static constexpr bool value = true;
};
template <>
struct IsFloating<Brain> {
  static constexpr bool value = true;
};

// Rounds a float's upper bits to nearest even, dropping `drop` low bits.
NOCTUNE_BOTH inline std::uint32_t rounded_bits(std::uint32_t bits, int drop) {
  const std::uint32_t half = 1u << (drop - 1);
  const std::uint32_t odd = (bits >> drop) & 1u;
  return (bits + half - 1u + odd) >> drop;
}

NOCTUNE_BOTH inline Brain to_brain(float value) {
  std::uint32_t bits;
  copy_bytes(&bits, &value, 4);
  return {static_cast<std::uint16_t>(rounded_bits(bits, 16))};
}

// Finite input. Values below the normal range of a half are flushed to zero, those above it become its
// largest.
NOCTUNE_BOTH inline Half to_half(float value) {
  std::uint32_t bits;
  copy_bytes(&bits, &value, 4);
  const std::uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude < 0x38800000u) return {static_cast<std::uint16_t>(sign)};
  const std::uint32_t small = rounded_bits(magnitude - (112u << 23), 13);
  return {static_cast<std::uint16_t>(sign | (small > 0x7bffu ? 0x7bffu : small))};
}

template <class T>
NOCTUNE_BOTH T from_double(double value) {
  return static_cast<T>(value);
}
template <>
NOCTUNE_BOTH inline Half from_double<Half>(double value) {
  return to_half(static_cast<float>(value));
}
template <>
NOCTUNE_BOTH inline Brain from_double<Brain>(double value) {
  return to_brain(static_cast<float>(value));
}

NOCTUNE_BOTH inline double to_double(double value) {
  return value;
}
NOCTUNE_BOTH inline double to_double(float value) {
  return static_cast<double>(value);
}
NOCTUNE_BOTH inline double to_double(Brain value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << 16;
  float out;
  copy_bytes(&out, &bits, 4);
  return static_cast<double>(out);
}
NOCTUNE_BOTH inline double to_double(Half value) {
  const int exponent = (value.bits >> 10) & 31, mantissa = value.bits & 1023;
  double out = exponent == 31  ? (mantissa != 0 ? __builtin_nan("") : __builtin_inf())
               : exponent == 0 ? mantissa * 0x1p-24
                               : (1024 + mantissa) * 0x1p-25;
  for (int i = 0; exponent != 31 && i < exponent; ++i) out *= 2;
  return (value.bits & 0x8000) != 0 ? -out : out;
}

template <class T, class Bits>
NOCTUNE_BOTH T without_low_bits(T value, int drop) {
  Bits bits;
  copy_bytes(&bits, &value, sizeof bits);
  bits = static_cast<Bits>((bits >> drop) << drop);
  copy_bytes(&value, &bits, sizeof bits);
  return value;
}
// The value with about half of its precision: what a version that computes in a narrower type would see. Cut,
// not rounded to nearest: such a version also adds up in that type, so its errors do not average out in a
// long sum.
NOCTUNE_BOTH inline double coarse(double value) {
  return without_low_bits<double, std::uint64_t>(value, 29);
}
NOCTUNE_BOTH inline float coarse(float value) {
  return without_low_bits<float, std::uint32_t>(value, 13);
}
NOCTUNE_BOTH inline Half coarse(Half value) {
  return without_low_bits<Half, std::uint16_t>(value, 4);
}
NOCTUNE_BOTH inline Brain coarse(Brain value) {
  return without_low_bits<Brain, std::uint16_t>(value, 3);
}

// The neighbouring value, up or down in magnitude; zero stays zero.
template <class T, class Bits>
NOCTUNE_BOTH T moved_by_one_ulp(T value, bool up) {
  Bits bits;
  copy_bytes(&bits, &value, sizeof bits);
  const Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  if ((bits & static_cast<Bits>(~sign)) == 0) return value;
  bits = static_cast<Bits>(up ? bits + 1 : bits - 1);
  copy_bytes(&value, &bits, sizeof bits);
  return value;
}
NOCTUNE_BOTH inline double nudge(double value, bool up) {
  return moved_by_one_ulp<double, std::uint64_t>(value, up);
}
NOCTUNE_BOTH inline float nudge(float value, bool up) {
  return moved_by_one_ulp<float, std::uint32_t>(value, up);
}
NOCTUNE_BOTH inline Half nudge(Half value, bool up) {
  return moved_by_one_ulp<Half, std::uint16_t>(value, up);
}
NOCTUNE_BOTH inline Brain nudge(Brain value, bool up) {
  return moved_by_one_ulp<Brain, std::uint16_t>(value, up);
}

// Calls `use` with a value of the element's component type; signed integers go as the unsigned ones of their
// width, whose bits are the same, which halves what has to be compiled.
template <class Use>
void with_component(Element element, Use&& use) {
  switch (element) {
    case Element::f64:
    case Element::c128:
      return use(double{});
    case Element::f32:
    case Element::c64:
      return use(float{});
    case Element::f16:
      return use(Half{});
    case Element::bf16:
      return use(Brain{});
    case Element::i8:
    case Element::u8:
    case Element::boolean:
      return use(std::uint8_t{});
    case Element::i16:
    case Element::u16:
      return use(std::uint16_t{});
    case Element::i32:
    case Element::u32:
      return use(std::uint32_t{});
    case Element::i64:
    case Element::u64:
      return use(std::uint64_t{});
  }
}

}  // namespace noctune
