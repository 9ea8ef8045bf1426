// Two passes over floating-point outputs: the first finds the scale and the norms, the second judges each
// element against its own row. Everything is decided on bits and doubles, never on isnan(), which compilers
// may assume away.
#include "mep/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "mep/runtime/element.hpp"

namespace noctune {
namespace {

constexpr std::size_t row_length = 256;
constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Class { finite, nan, plus_infinity, minus_infinity };

struct Number {
  double value = 0;
  Class kind = Class::finite;
};

template <class Bits>
Number classified(Bits bits, int mantissa_bits, double value) {
  const int width = 8 * static_cast<int>(sizeof(Bits));
  const Bits sign = static_cast<Bits>(Bits{1} << (width - 1));
  const Bits mantissa_mask = static_cast<Bits>((Bits{1} << mantissa_bits) - 1);
  const Bits exponent_mask = static_cast<Bits>(static_cast<Bits>(~sign) & static_cast<Bits>(~mantissa_mask));
  if ((bits & exponent_mask) != exponent_mask) return {value, Class::finite};
  if ((bits & mantissa_mask) != 0) return {0, Class::nan};
  return {0, (bits & sign) != 0 ? Class::minus_infinity : Class::plus_infinity};
}

double half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class Bits>
Bits bits_at(const char* at) {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  return bits;
}

Number load_f64(const char* at) {
  double value;
  std::memcpy(&value, at, sizeof value);
  return classified(bits_at<std::uint64_t>(at), 52, value);
}
Number load_f32(const char* at) {
  float value;
  std::memcpy(&value, at, sizeof value);
  return classified(bits_at<std::uint32_t>(at), 23, static_cast<double>(value));
}
Number load_f16(const char* at) {
  const auto bits = bits_at<std::uint16_t>(at);
  return classified(bits, 10, half_value(bits));
}
Number load_bf16(const char* at) {
  const auto bits = bits_at<std::uint16_t>(at);
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return classified(bits, 7, static_cast<double>(value));
}

// Calls `use` with the loader of the type's components, so that loops are compiled for each.
template <class Use>
auto with_loader(ElementType type, Use&& use) {
  switch (type) {
    case ElementType::f64:
    case ElementType::c128:
      return use([](const char* at) { return load_f64(at); });
    case ElementType::f16:
      return use([](const char* at) { return load_f16(at); });
    case ElementType::bf16:
      return use([](const char* at) { return load_bf16(at); });
    default:
      return use([](const char* at) { return load_f32(at); });
  }
}

std::string shown(Number number, const char* format) {
  if (number.kind == Class::nan) return "NaN";
  if (number.kind != Class::finite) return number.kind == Class::plus_infinity ? "inf" : "-inf";
  char text[40];
  std::snprintf(text, sizeof text, format, number.value);
  return text;
}

// Six digits, or all where six do not tell the two apart.
void show_pair(Number expected, Number got, OutputDifference& out) {
  out.expected = shown(expected, "%.6g");
  out.got = shown(got, "%.6g");
  if (out.expected != out.got) return;
  out.expected = shown(expected, "%.17g");
  out.got = shown(got, "%.17g");
}

// The poison as it lies in memory, repeating every 8 bytes.
class PoisonTest {
 public:
  PoisonTest(std::optional<std::uint64_t> poison, std::size_t element_size) : size_(element_size) {
    if (!poison) return;
    active_ = true;
    for (std::size_t copy = 0; copy < 3; ++copy) std::memcpy(pattern_ + 8 * copy, &*poison, 8);
  }
  // The poison as it lies at a byte offset.
  const char* pattern(std::size_t offset) const { return pattern_ + offset % 8; }
  bool operator()(const char* element, std::size_t index) const {
    return active_ && std::memcmp(element, pattern_ + index * size_ % 8, size_) == 0;
  }

 private:
  bool active_ = false;
  std::size_t size_;
  char pattern_[24] = {};
};

struct Norms {
  double scale = 0;       // largest finite |reference|
  double reference = 0;   // sum of squares over scale^2
  double difference = 0;  // likewise
  long long finite = 0;
};

struct Sides {
  const char* reference;
  const char* candidate;
  std::size_t size;      // bytes of a component
  std::size_t elements;  // of the whole output
  std::size_t per_element;
};

template <class Load>
class Judge {
 public:
  Judge(const Sides& sides, const Allowance& allowance, Load load)
      : sides_(sides),
        allowance_(allowance),
        load_(load),
        untouched_(allowance.poison, sides.size * sides.per_element) {}

  OutputDifference run() {
    measure();
    for (std::size_t first = 0; first < sides_.elements; first += row_length)
      judge_row(first, std::min(first + row_length, sides_.elements));
    out_.tolerance = allowance_.tolerance;
    out_.count = static_cast<long long>(sides_.elements);
    out_.passed = out_.violations == 0 && out_.error <= allowance_.tolerance;
    return out_;
  }
  double norm_error() {
    const std::size_t components = sides_.elements * sides_.per_element;
    for (std::size_t i = 0; i < components; ++i)
      if (load_(reference_at(i)).kind != load_(candidate_at(i)).kind) return infinity;
    measure();
    return out_.error;
  }

 private:
  const char* reference_at(std::size_t component) const { return sides_.reference + component * sides_.size; }
  const char* candidate_at(std::size_t component) const { return sides_.candidate + component * sides_.size; }
  bool is_untouched(std::size_t element) const {
    return untouched_(reference_at(element * sides_.per_element), element);
  }

  void measure() {
    const std::size_t components = sides_.elements * sides_.per_element;
    for (std::size_t i = 0; i < components; ++i) {
      const Number r = load_(reference_at(i));
      if (r.kind == Class::finite && !is_untouched(i / sides_.per_element))
        norms_.scale = std::max(norms_.scale, std::fabs(r.value));
    }
    const double unit = norms_.scale > 0 ? norms_.scale : 1;
    for (std::size_t i = 0; i < components; ++i) {
      const Number r = load_(reference_at(i)), c = load_(candidate_at(i));
      if (r.kind != Class::finite || c.kind != Class::finite || is_untouched(i / sides_.per_element))
        continue;
      const double scaled = r.value / unit, off = c.value / unit - scaled;
      norms_.reference += scaled * scaled;
      norms_.difference += off * off;
      ++norms_.finite;
    }
    if (norms_.difference > 0)
      out_.error = norms_.reference > 0 ? std::sqrt(norms_.difference / norms_.reference) : infinity;
    rms_ = norms_.finite > 0 ? unit * std::sqrt(norms_.reference / static_cast<double>(norms_.finite)) : 0;
  }

  double rms_of(std::size_t first, std::size_t last) const {
    double sum = 0;
    std::size_t finite = 0;
    const double unit = norms_.scale > 0 ? norms_.scale : 1;
    for (std::size_t i = first * sides_.per_element; i < last * sides_.per_element; ++i) {
      const Number r = load_(reference_at(i));
      if (r.kind != Class::finite || is_untouched(i / sides_.per_element)) continue;
      sum += r.value / unit * (r.value / unit);
      ++finite;
    }
    return finite > 0 ? unit * std::sqrt(sum / static_cast<double>(finite)) : 0;
  }

  void judge_row(std::size_t first, std::size_t last) {
    double row_rms = rms_of(first, last);
    if (row_rms <= allowance_.tolerance * rms_) row_rms = rms_;
    for (std::size_t element = first; element < last; ++element) {
      if (is_untouched(element)) {
        ++out_.untouched;
        if (!untouched_(candidate_at(element * sides_.per_element), element)) clobbered(element);
        continue;
      }
      judge_element(element, row_rms);
    }
  }

  void judge_element(std::size_t element, double row_rms) {
    bool odd = false;
    for (std::size_t part = 0; part < sides_.per_element; ++part) {
      const std::size_t i = element * sides_.per_element + part;
      const Number r = load_(reference_at(i)), c = load_(candidate_at(i));
      odd = odd || r.kind != Class::finite;
      const double bound = 4 * allowance_.tolerance * std::fabs(r.value) + 4 * allowance_.tolerance * row_rms;
      const bool good =
          r.kind == c.kind && (r.kind != Class::finite || std::fabs(c.value - r.value) <= bound);
      if (good) continue;
      violation(element, r, c);
      break;
    }
    if (odd) ++out_.non_finite;
  }

  void violation(std::size_t element, Number expected, Number got) {
    if (out_.violations++ > 0) return;
    out_.first = static_cast<long long>(element);
    show_pair(expected, got, out_);
  }
  void clobbered(std::size_t element) {
    if (out_.violations++ > 0) return;
    out_.first = static_cast<long long>(element);
    out_.clobbered = true;
    out_.expected = "left untouched";
    out_.got = shown(load_(candidate_at(element * sides_.per_element)), "%.6g");
  }

  const Sides& sides_;
  const Allowance& allowance_;
  Load load_;
  PoisonTest untouched_;
  Norms norms_;
  double rms_ = 0;
  OutputDifference out_;
};

void store_narrow(ElementType type, Number number, char* at) {
  const double not_finite = number.kind == Class::nan             ? std::numeric_limits<double>::quiet_NaN()
                            : number.kind == Class::plus_infinity ? infinity
                                                                  : -infinity;
  const auto single = static_cast<float>(number.kind == Class::finite ? number.value : not_finite);
  if (type == ElementType::f32 || type == ElementType::c64) {
    std::memcpy(at, &single, sizeof single);
    return;
  }
  const bool half = type == ElementType::f16;
  std::uint16_t bits = half ? from_double<Half>(number.value).bits : to_brain(single).bits;
  if (number.kind == Class::nan) bits = half ? 0x7e00 : 0x7fc0;
  if (half && number.kind == Class::plus_infinity) bits = 0x7c00;
  if (half && number.kind == Class::minus_infinity) bits = 0xfc00;
  std::memcpy(at, &bits, sizeof bits);
}

std::string integer_text(ElementType type, const char* at) {
  switch (type) {
    case ElementType::i8:
      return std::to_string(bits_at<std::int8_t>(at));
    case ElementType::i16:
      return std::to_string(bits_at<std::int16_t>(at));
    case ElementType::i32:
      return std::to_string(bits_at<std::int32_t>(at));
    case ElementType::i64:
      return std::to_string(bits_at<std::int64_t>(at));
    case ElementType::u16:
      return std::to_string(bits_at<std::uint16_t>(at));
    case ElementType::u32:
      return std::to_string(bits_at<std::uint32_t>(at));
    case ElementType::u64:
      return std::to_string(bits_at<std::uint64_t>(at));
    default:
      return std::to_string(bits_at<std::uint8_t>(at));
  }
}

OutputDifference compare_integers(ElementType type, std::string_view reference, std::string_view candidate,
                                  const Allowance& allowance) {
  OutputDifference out;
  const std::size_t size = size_of(type), elements = reference.size() / size;
  const PoisonTest untouched(allowance.poison, size);
  out.count = static_cast<long long>(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    const char *r = reference.data() + i * size, *c = candidate.data() + i * size;
    const bool kept = untouched(r, i);
    out.untouched += kept;
    if (std::memcmp(r, c, size) == 0) continue;
    if (out.violations++ > 0) continue;
    out.first = static_cast<long long>(i);
    out.clobbered = kept;
    out.expected = kept ? "left untouched" : integer_text(type, r);
    out.got = integer_text(type, c);
  }
  out.passed = out.violations == 0;
  out.error = out.passed ? 0 : infinity;
  return out;
}

OutputDifference wrong_size(ElementType type, std::string_view reference, std::string_view candidate) {
  OutputDifference out;
  out.error = infinity;
  out.violations = out.count = static_cast<long long>(reference.size() / size_of(type));
  out.first = 0;
  out.expected = std::to_string(reference.size()) + " bytes";
  out.got = std::to_string(candidate.size()) + " bytes";
  return out;
}

Sides sides_of(ElementType type, std::string_view reference, std::string_view candidate) {
  const std::size_t per_element = static_cast<std::size_t>(components(type));
  return {reference.data(), candidate.data(), size_of(type) / per_element, reference.size() / size_of(type),
          per_element};
}

}  // namespace

double largest_tolerance(ElementType type) {
  const bool wide = type == ElementType::f64 || type == ElementType::c128;
  const bool single = type == ElementType::f32 || type == ElementType::c64;
  return wide ? 1e-10 : single ? 1e-4 : 4 * unit_roundoff(type);
}

double tolerance_for(ElementType type, double depth) {
  return std::min(4 * unit_roundoff(type) * std::sqrt(std::max(1.0, depth)), largest_tolerance(type));
}

OutputDifference compare(ElementType type, std::string_view reference, std::string_view candidate,
                         const Allowance& allowance) {
  if (reference.size() != candidate.size()) return wrong_size(type, reference, candidate);
  if (!is_floating(type)) return compare_integers(type, reference, candidate, allowance);
  const Sides sides = sides_of(type, reference, candidate);
  return with_loader(type, [&](auto load) { return Judge<decltype(load)>(sides, allowance, load).run(); });
}

double distance(ElementType type, std::string_view reference, std::string_view candidate) {
  if (reference == candidate) return 0;
  if (reference.size() != candidate.size() || !is_floating(type)) return infinity;
  const Sides sides = sides_of(type, reference, candidate);
  return with_loader(type,
                     [&](auto load) { return Judge<decltype(load)>(sides, Allowance{}, load).norm_error(); });
}

std::string narrowed(ElementType type, std::string_view wide, std::optional<std::uint64_t> poison) {
  const bool single = type == ElementType::f32 || type == ElementType::c64;
  if (!single && type != ElementType::f16 && type != ElementType::bf16) return {};
  const std::size_t parts = static_cast<std::size_t>(components(type)), narrow = size_of(type) / parts;
  const PoisonTest untouched(poison, 8 * parts), narrow_poison(poison, size_of(type));
  std::string out(wide.size() / 8 * narrow, '\0');
  for (std::size_t i = 0; i < wide.size() / 8; ++i) {
    const std::size_t element = i / parts;
    if (untouched(wide.data() + element * parts * 8, element)) {
      std::memcpy(out.data() + i * narrow, narrow_poison.pattern(i * narrow), narrow);
      continue;
    }
    store_narrow(type, load_f64(wide.data() + 8 * i), out.data() + i * narrow);
  }
  return out;
}

std::optional<std::size_t> first_difference(ElementType type, const PoisonedBytes& a,
                                            const PoisonedBytes& b) {
  const std::size_t size = size_of(type) / static_cast<std::size_t>(components(type));
  const PoisonTest untouched_a(a.poison, size), untouched_b(b.poison, size);
  for (std::size_t at = 0; at + size <= std::min(a.bytes.size(), b.bytes.size()); at += size) {
    const std::string_view one = a.bytes.substr(at, size), other = b.bytes.substr(at, size);
    if (one == other) continue;
    const bool kept = untouched_a(one.data(), at / size) && untouched_b(other.data(), at / size);
    if (!kept) return at / size_of(type);
  }
  if (a.bytes.size() != b.bytes.size()) return std::min(a.bytes.size(), b.bytes.size()) / size_of(type);
  return {};
}

bool all_integral(ElementType type, std::string_view bytes) {
  if (!is_floating(type)) return true;
  const Sides sides = sides_of(type, bytes, bytes);
  return with_loader(type, [&](auto load) {
    for (std::size_t i = 0; i < sides.elements * sides.per_element; ++i) {
      const Number number = load(bytes.data() + i * sides.size);
      if (number.kind != Class::finite || number.value != std::floor(number.value)) return false;
    }
    return true;
  });
}

bool any_non_finite(ElementType type, std::string_view bytes, std::optional<std::uint64_t> poison) {
  if (!is_floating(type)) return false;
  const Sides sides = sides_of(type, bytes, bytes);
  const PoisonTest untouched(poison, size_of(type));
  return with_loader(type, [&](auto load) {
    for (std::size_t i = 0; i < sides.elements * sides.per_element; ++i) {
      const std::size_t element = i / sides.per_element;
      if (load(bytes.data() + i * sides.size).kind == Class::finite) continue;
      if (!untouched(bytes.data() + element * size_of(type), element)) return true;
    }
    return false;
  });
}

std::string OutputDifference::text(const std::string& name) const {
  char error_text[32], tolerance_text[32];
  std::snprintf(error_text, sizeof error_text, "%.2g", error);
  std::snprintf(tolerance_text, sizeof tolerance_text, "%.2g", tolerance);
  if (passed)
    return name + " (" + std::to_string(count) + "): norm-wise error " + error_text + " <= " + tolerance_text;
  std::string out = name;
  if (first >= 0) {
    out += "[" + std::to_string(first) + "] (of " + std::to_string(count) + "): expected " + expected +
           ", got " + got;
    out += "; " + std::to_string(violations) + (violations == 1 ? " element differs" : " elements differ");
  } else {
    out += " (" + std::to_string(count) + "): every element is within its own bound";
  }
  if (expected.find("bytes") != std::string::npos) return out;
  return out + ", norm-wise error " + error_text + (error <= tolerance ? " <= " : " > ") + tolerance_text;
}

}  // namespace noctune
