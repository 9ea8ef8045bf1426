#include "generate.hpp"

#include <cstring>
#include <type_traits>
#include <vector>

#include "loops.hpp"
#include "random.hpp"

namespace noctune {
namespace {

struct Range {
  long long low, high;
};

// Whole numbers from -4 to 4 inside a declared range; empty (high < low) where it holds fewer than two.
Range small_range(const FillNumbers& plan) {
  if (!plan.declared) return {-4, 4};
  Range range{-4, 4};
  while (range.low <= 4 && static_cast<double>(range.low) < plan.low) ++range.low;
  while (range.high >= -4 && static_cast<double>(range.high) > plan.high) --range.high;
  return range.low < range.high ? range : Range{0, -1};
}

NOCTUNE_BOTH long long in_range(std::uint64_t bits, Range range) {
  const std::uint64_t width =
      static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low) + 1;
  const std::uint64_t step = width == 0 ? bits : scaled(bits, width);
  return static_cast<long long>(static_cast<std::uint64_t>(range.low) + step);
}

NOCTUNE_BOTH Range whole(const FillNumbers& plan) {
  return {static_cast<long long>(plan.low), static_cast<long long>(plan.high)};
}

// Both signs, magnitudes from 2^-8 to 2^8, by exact scaling.
NOCTUNE_BOTH double mixed(std::uint64_t bits) {
  double value = 1.0 + unit_interval(bits << 5);
  const int exponent = static_cast<int>(scaled(bits << 32, 16)) - 8;
  for (int i = 0; i < exponent; ++i) value *= 2;
  for (int i = 0; i > exponent; --i) value *= 0.5;
  return bits >> 63 ? -value : value;
}

// Element `index` of `count` for the kinds that are one formula per element. Plain numbers: it goes to a
// device as it is.
template <class T>
class Maker {
 public:
  Maker(const Argument& argument, std::size_t count, std::uint64_t key, Variant variant)
      : plan_(argument.fill), count_(count), length_(plan_.length > 0 ? plan_.length : count), key_(key) {
    const bool random = plan_.kind == Fill::uniform || plan_.kind == Fill::normal || plan_.kind == Fill::val;
    if (!IsFloating<T>::value || !random) return;
    if (variant == Variant::sign_mixed && !plan_.declared) signs_ = true;
    if (variant == Variant::small_integers) small_ = small_range(plan_);
  }

  NOCTUNE_BOTH T operator()(std::uint64_t i) const {
    if constexpr (IsFloating<T>::value) {
      return from_double<T>(real(i));
    } else {
      return static_cast<T>(integer(i));
    }
  }

 private:
  NOCTUNE_BOTH double real(std::uint64_t i) const {
    if (signs_) return mixed(draw(key_, i));
    if (small_.low < small_.high) return static_cast<double>(in_range(draw(key_, i), small_));
    switch (plan_.kind) {
      case Fill::uniform:
      case Fill::val:
        return plan_.low + (plan_.high - plan_.low) * unit_interval(draw(key_, i));
      case Fill::normal:
        return plan_.mean + plan_.sd * near_normal(key_, i);
      case Fill::constant:
        return plan_.value;
      case Fill::index:
        return plan_.value + plan_.step * static_cast<double>(i);
      case Fill::sorted:
        return plan_.low +
               (plan_.high - plan_.low) *
                   ((static_cast<double>(i) + unit_interval(draw(key_, i))) / static_cast<double>(count_));
      default:
        return static_cast<double>(integer(i));
    }
  }
  NOCTUNE_BOTH long long integer(std::uint64_t i) const {
    switch (plan_.kind) {
      case Fill::uniform:
      case Fill::integers:
      case Fill::val:
        return in_range(draw(key_, i), whole(plan_));
      case Fill::constant:
        return static_cast<long long>(plan_.value);
      case Fill::index:
        return static_cast<long long>(plan_.value) +
               static_cast<long long>(plan_.step) * static_cast<long long>(i);
      case Fill::permutation:
        return static_cast<long long>(permuted(key_ + i / length_, length_, i % length_));
      case Fill::unique: {
        const std::uint64_t width = static_cast<std::uint64_t>(whole(plan_).high - whole(plan_).low) + 1;
        return whole(plan_).low + static_cast<long long>(permuted(key_, width, i));
      }
      case Fill::sorted: {
        const std::uint64_t width = static_cast<std::uint64_t>(whole(plan_).high - whole(plan_).low) + 1;
        const std::uint64_t first = csr_stratum(i, count_, width), next = csr_stratum(i + 1, count_, width);
        return whole(plan_).low +
               static_cast<long long>(first + (next > first ? scaled(draw(key_, i), next - first) : 0));
      }
      default:
        return 0;
    }
  }

  FillNumbers plan_;
  std::uint64_t count_, length_, key_;
  bool signs_ = false;
  Range small_{0, -1};
};

// The bodies of loops over elements; structs, since nvcc takes no lambdas from generic ones.
template <class T>
struct Making {
  T* data;
  Maker<T> make;
  NOCTUNE_BOTH void operator()(long long i) const { data[i] = make(static_cast<std::uint64_t>(i)); }
};

template <class T>
struct Nudging {
  T* data;
  std::uint64_t key;
  NOCTUNE_BOTH void operator()(long long i) const {
    if constexpr (IsFloating<T>::value)
      data[i] = nudge(data[i], (draw(key, static_cast<std::uint64_t>(i)) & 1) != 0);
  }
};

template <class T>
struct Coarsening {
  T* data;
  NOCTUNE_BOTH void operator()(long long i) const {
    if constexpr (IsFloating<T>::value) data[i] = coarse(data[i]);
  }
};

template <class Narrow>
struct Narrowing {
  double* data;
  NOCTUNE_BOTH void operator()(long long i) const { data[i] = to_double(from_double<Narrow>(data[i])); }
};

// A widened buffer holds what the narrow one would: values of the narrow type.
template <class T>
void narrow_elements(T* data, long long count, const ElementTraits& narrow, int threads) {
  if constexpr (std::is_same_v<T, double>) {
    with_component(narrow.element, [&](auto zero) {
      using Narrow = decltype(zero);
      if constexpr (IsFloating<Narrow>::value) for_each_index(count, threads, Narrowing<Narrow>{data});
    });
  } else {
    (void)data, (void)count, (void)narrow, (void)threads;
  }
}

// Elements as they lie, on the host; for a widened buffer they are the narrow ones.
template <class T>
void fill_bytes(T* data, std::size_t count, const char* bytes, const ElementTraits* narrow) {
  if (!narrow) return copy_to_device(data, bytes, count * sizeof(T));
  if constexpr (std::is_same_v<T, double>) {
    with_component(narrow->element, [&](auto zero) {
      using Narrow = decltype(zero);
      if constexpr (IsFloating<Narrow>::value)
        make_on_host(data, count, [&](double* to) {
          const Narrow* from = reinterpret_cast<const Narrow*>(bytes);
          for (std::size_t i = 0; i < count; ++i) to[i] = to_double(from[i]);
        });
    });
  }
}

template <class T>
T from_number(double value) {
  if constexpr (IsFloating<T>::value) {
    return from_double<T>(value);
  } else {
    return static_cast<T>(static_cast<long long>(value));
  }
}

// Rows are made in chunks, so that each chunk writes runs of every column.
template <class T>
void fill_transposed(T* data, std::size_t count, const JointMaker& maker, const Transposed& layout,
                     std::uint64_t values, int threads) {
  const std::string part = layout.of;
  const std::size_t rows = count / layout.width, size = 256;
  const long long chunks = static_cast<long long>((rows + size - 1) / size);
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> numbers(size * layout.width);
#pragma omp for schedule(static)
    for (long long chunk = 0; chunk < chunks; ++chunk) {
      const std::size_t first = static_cast<std::size_t>(chunk) * size;
      const std::size_t length = first + size < rows ? size : rows - first;
      maker.block({part, values}, first * layout.width, length * layout.width, numbers.data());
      for (std::size_t k = 0; k < layout.width; ++k)
        for (std::size_t i = 0; i < length; ++i)
          data[k * rows + first + i] = from_number<T>(numbers[i * layout.width + k]);
    }
  }
}

template <class T>
void fill_joint(T* data, std::size_t count, const JointMaker& maker, const JointRequest& wanted,
                int threads) {
  if (count == 0) return;
  const Transposed layout = maker.transposed(wanted.part);
  if (layout.of) return fill_transposed(data, count, maker, layout, wanted.values, threads);
  const std::size_t grain = maker.grain(wanted.part) > 1 ? maker.grain(wanted.part) : 1;
  const std::size_t size = (4095 + grain) / grain * grain;
  const long long blocks = static_cast<long long>((count + size - 1) / size);
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> numbers(size < count ? size : count);
#pragma omp for schedule(static)
    for (long long block = 0; block < blocks; ++block) {
      const std::size_t first = static_cast<std::size_t>(block) * size;
      const std::size_t length = first + size < count ? size : count - first;
      maker.block(wanted, first, length, numbers.data());
      for (std::size_t i = 0; i < length; ++i) data[first + i] = from_number<T>(numbers[i]);
    }
  }
}

// All but labels moved by one unit in the last place.
template <class T>
void nudge_joint(T* data, std::size_t count, const JointMaker& maker, const std::string& part,
                 std::uint64_t key) {
  if constexpr (IsFloating<T>::value) {
    change_on_host(data, count, [&](T* values) {
      for (std::size_t i = 0; i < count; ++i)
        if (!maker.is_label(part, i)) values[i] = nudge(values[i], (draw(key, i) & 1) != 0);
    });
  } else {
    (void)data, (void)count, (void)maker, (void)part, (void)key;
  }
}

}  // namespace

bool depends_on_values(const FillPlan& plan, const JointMaker* maker) {
  const Fill kind = plan.kind;
  if (kind == Fill::joint) return maker != nullptr && maker->varies(plan.part);
  return kind == Fill::uniform || kind == Fill::normal || kind == Fill::integers ||
         kind == Fill::permutation || kind == Fill::sorted || kind == Fill::unique || kind == Fill::val;
}

void fill_buffer(char* data, const Argument& argument, const FillSeeds& seeds, Variant variant, int threads,
                 const JointMaker* maker) {
  const std::size_t count = argument.count * static_cast<std::size_t>(argument.type->components);
  const long long n = static_cast<long long>(count);
  const bool joint = argument.fill.kind == Fill::joint && maker != nullptr;
  with_component(argument.type->element, [&](auto zero) {
    using T = decltype(zero);
    T* elements = reinterpret_cast<T*>(data);
    if (argument.fill.kind == Fill::zeros) return fill_pattern(data, argument.bytes(), 0, threads);
    const JointRequest wanted{argument.fill.part, seeds.joint};
    const char* bytes = joint && count > 0 ? maker->bytes(wanted) : nullptr;
    if (bytes)
      fill_bytes(elements, count, bytes, argument.narrow);
    else if (joint)
      make_on_host(elements, count, [&](T* to) { fill_joint(to, count, *maker, wanted, threads); });
    else
      for_each_index(n, threads, Making<T>{elements, Maker<T>(argument, count, seeds.values, variant)});
    if (argument.narrow) narrow_elements(elements, n, *argument.narrow, threads);
    if (variant != Variant::nudged || !IsFloating<T>::value) return;
    if (joint)
      nudge_joint(elements, count, *maker, argument.fill.part, seeds.nudges);
    else
      for_each_index(n, threads, Nudging<T>{elements, seeds.nudges});
  });
}

void round_buffer(char* data, const Argument& argument, int threads) {
  const std::size_t count = argument.count * static_cast<std::size_t>(argument.type->components);
  with_component(argument.type->element, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (IsFloating<T>::value)
      for_each_index(static_cast<long long>(count), threads, Coarsening<T>{reinterpret_cast<T*>(data)});
  });
}

namespace {

// Word i of 8 bytes; the last may be cut off.
struct EightByteWords {
  char* data;
  std::size_t bytes;
  NOCTUNE_BOTH std::size_t width(long long i) const {
    const std::size_t left = bytes - 8 * static_cast<std::size_t>(i);
    return left < 8 ? left : 8;
  }
  long long count() const { return static_cast<long long>((bytes + 7) / 8); }
};

struct Patterning {
  EightByteWords words;
  std::uint64_t pattern;
  NOCTUNE_BOTH void operator()(long long i) const {
    copy_bytes(words.data + 8 * i, &pattern, words.width(i));
  }
};

struct Summing {
  EightByteWords words;
  NOCTUNE_BOTH void operator()(long long i, BitSum& sum) const {
    std::uint64_t word = 0;
    copy_bytes(&word, words.data + 8 * i, words.width(i));
    sum.bits += draw(word, static_cast<std::uint64_t>(i));
  }
};

}  // namespace

void fill_pattern(char* data, std::size_t bytes, std::uint64_t pattern, int threads) {
  const EightByteWords words{data, bytes};
  for_each_index(words.count(), threads, Patterning{words, pattern});
}

std::uint64_t checksum(const char* data, std::size_t bytes, int threads) {
  const EightByteWords words{const_cast<char*>(data), bytes};
  return sum_over<BitSum>(words.count(), threads, Summing{words}).bits;
}

}  // namespace noctune
