// Compares one output of a candidate with the reference's (design: gate 3). Bytes are little-endian arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/element_type.hpp"

namespace noctune {

// tau = min(4 u sqrt(depth), cap); 0 for integers. Caps: 1e-10 (f64), 1e-4 (f32), 4 u (f16, bf16).
double tolerance_for(ElementType type, double depth);

// That cap: no noise and no error of K(0) itself may be larger.
double largest_tolerance(ElementType type);

struct Allowance {
  double tolerance = 0;                 // max(tau, 2 e_base, 4 band), or the user's; 0 = exact
  std::optional<std::uint64_t> poison;  // elements the reference leaves so must stay so; only for role out
};

struct OutputDifference {
  bool passed = false;
  double error = 0;  // norm-wise: |c - r| / |r| in the 2-norm over elements finite on both sides
  double tolerance = 0;
  long long count = 0;        // elements compared
  long long violations = 0;   // elements out of bounds
  long long first = -1;       // index of the first of them
  std::string expected, got;  // that element, for people
  bool clobbered = false;     // the first violation is an element the reference leaves untouched
  long long untouched = 0;    // elements the reference left poisoned
  long long non_finite = 0;   // NaN and infinities in the reference

  // "C[17] (of 65536): expected 0.5312, got 0; 300 elements differ, norm-wise error 3e-2 > 1.2e-13"
  std::string text(const std::string& name) const;
};

// Floats pass when the norm-wise error is within the tolerance and every element within
// 4 tolerance (|r| + rms of its row of 256); a row below tolerance x the whole rms is taken as rounding noise
// and measured by the whole. Integers must be equal; NaN and infinities must match in class and sign, by
// bits.
OutputDifference compare(ElementType type, std::string_view reference, std::string_view candidate,
                         const Allowance& allowance);

// The norm-wise distance alone, for spreads and bands; infinite where classes differ, 0 or infinite for
// integers.
double distance(ElementType type, std::string_view reference, std::string_view candidate);

// An output of a double-precision run (f64 or c128) as its own, narrower type; untouched elements stay so.
// Empty where the type is not a narrower floating-point one.
std::string narrowed(ElementType type, std::string_view wide, std::optional<std::uint64_t> poison);

// An output together with the poison that was in it before the call, if any.
struct PoisonedBytes {
  std::string_view bytes;
  std::optional<std::uint64_t> poison = {};
};
// The first element whose bits differ, unless both runs left it as it was.
std::optional<std::size_t> first_difference(ElementType type, const PoisonedBytes& a, const PoisonedBytes& b);

// Every element finite and whole: on such a reference a candidate's small-integer run must be exact.
bool all_integral(ElementType type, std::string_view bytes);
// Any NaN or infinity (poisoned elements apart).
bool any_non_finite(ElementType type, std::string_view bytes, std::optional<std::uint64_t> poison = {});

}  // namespace noctune
