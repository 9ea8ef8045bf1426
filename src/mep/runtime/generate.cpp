#include "generate.hpp"

#include <cstring>
#include <type_traits>
#include <vector>

#include "random.hpp"

namespace noctune {
namespace {

struct Range {
  long long low, high;
};

// Whole numbers from -4 to 4 inside a declared range; empty (high < low) where it holds fewer than two.
Range small_range(const FillPlan& plan) {
  if (!plan.declared) return {-4, 4};
  Range range{-4, 4};
  while (range.low <= 4 && static_cast<double>(range.low) < plan.low) ++range.low;
  while (range.high >= -4 && static_cast<double>(range.high) > plan.high) --range.high;
  return range.low < range.high ? range : Range{0, -1};
}

long long in_range(std::uint64_t bits, Range range) {
  const std::uint64_t width =
      static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low) + 1;
  const std::uint64_t step = width == 0 ? bits : scaled(bits, width);
  return static_cast<long long>(static_cast<std::uint64_t>(range.low) + step);
}

Range whole(const FillPlan& plan) {
  return {static_cast<long long>(plan.low), static_cast<long long>(plan.high)};
}

// Both signs, magnitudes from 2^-8 to 2^8, by exact scaling.
double mixed(std::uint64_t bits) {
  double value = 1.0 + unit_interval(bits << 5);
  const int exponent = static_cast<int>(scaled(bits << 32, 16)) - 8;
  for (int i = 0; i < exponent; ++i) value *= 2;
  for (int i = 0; i > exponent; --i) value *= 0.5;
  return bits >> 63 ? -value : value;
}

// Element `index` of `count` for the kinds that are one formula per element.
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

  T operator()(std::uint64_t i) const {
    if constexpr (IsFloating<T>::value) {
      return from_double<T>(real(i));
    } else {
      return static_cast<T>(integer(i));
    }
  }

 private:
  double real(std::uint64_t i) const {
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
  long long integer(std::uint64_t i) const {
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

  const FillPlan& plan_;
  std::uint64_t count_, length_, key_;
  bool signs_ = false;
  Range small_{0, -1};
};

template <class T>
void fill_elements(T* data, std::size_t count, const Maker<T>& make, int threads) {
  const long long n = static_cast<long long>(count);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (long long i = 0; i < n; ++i) data[i] = make(static_cast<std::uint64_t>(i));
}

template <class T>
void nudge_elements(T* data, std::size_t count, std::uint64_t key, int threads) {
  if constexpr (IsFloating<T>::value) {
    const long long n = static_cast<long long>(count);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (long long i = 0; i < n; ++i)
      data[i] = nudge(data[i], (draw(key, static_cast<std::uint64_t>(i)) & 1) != 0);
  } else {
    (void)data, (void)count, (void)key, (void)threads;
  }
}

template <class T>
void coarsen_elements(T* data, std::size_t count, int threads) {
  if constexpr (IsFloating<T>::value) {
    const long long n = static_cast<long long>(count);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (long long i = 0; i < n; ++i) data[i] = coarse(data[i]);
  } else {
    (void)data, (void)count, (void)threads;
  }
}

// A widened buffer holds what the narrow one would: values of the narrow type.
template <class T>
void narrow_elements(T* data, std::size_t count, const ElementTraits& narrow, int threads) {
  if constexpr (std::is_same_v<T, double>) {
    with_component(narrow.element, [&](auto zero) {
      using Narrow = decltype(zero);
      if constexpr (IsFloating<Narrow>::value) {
        const long long n = static_cast<long long>(count);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (long long i = 0; i < n; ++i) data[i] = to_double(from_double<Narrow>(data[i]));
      }
    });
  } else {
    (void)data, (void)count, (void)narrow, (void)threads;
  }
}

// Elements as they lie; for a widened buffer they are the narrow ones.
template <class T>
void fill_bytes(T* data, std::size_t count, const char* bytes, const ElementTraits* narrow, int threads) {
  const long long n = static_cast<long long>(count);
  if (!narrow) {
    const T* from = reinterpret_cast<const T*>(bytes);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (long long i = 0; i < n; ++i) data[i] = from[i];
    return;
  }
  if constexpr (std::is_same_v<T, double>) {
    with_component(narrow->element, [&](auto zero) {
      using Narrow = decltype(zero);
      if constexpr (IsFloating<Narrow>::value) {
        const Narrow* from = reinterpret_cast<const Narrow*>(bytes);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (long long i = 0; i < n; ++i) data[i] = to_double(from[i]);
      }
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
    for (std::size_t i = 0; i < count; ++i)
      if (!maker.is_label(part, i)) data[i] = nudge(data[i], (draw(key, i) & 1) != 0);
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
  const bool joint = argument.fill.kind == Fill::joint && maker != nullptr;
  with_component(argument.type->element, [&](auto zero) {
    using T = decltype(zero);
    T* elements = reinterpret_cast<T*>(data);
    if (argument.fill.kind == Fill::zeros) return fill_pattern(data, argument.bytes(), 0, threads);
    const JointRequest wanted{argument.fill.part, seeds.joint};
    const char* bytes = joint && count > 0 ? maker->bytes(wanted) : nullptr;
    if (bytes)
      fill_bytes(elements, count, bytes, argument.narrow, threads);
    else if (joint)
      fill_joint(elements, count, *maker, wanted, threads);
    else
      fill_elements(elements, count, Maker<T>(argument, count, seeds.values, variant), threads);
    if (argument.narrow) narrow_elements(elements, count, *argument.narrow, threads);
    if (variant != Variant::nudged) return;
    if (joint)
      nudge_joint(elements, count, *maker, argument.fill.part, seeds.nudges);
    else
      nudge_elements(elements, count, seeds.nudges, threads);
  });
}

void round_buffer(char* data, const Argument& argument, int threads) {
  const std::size_t count = argument.count * static_cast<std::size_t>(argument.type->components);
  with_component(argument.type->element, [&](auto zero) {
    coarsen_elements(reinterpret_cast<decltype(zero)*>(data), count, threads);
  });
}

void fill_pattern(char* data, std::size_t bytes, std::uint64_t pattern, int threads) {
  const long long words = static_cast<long long>(bytes / 8);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (long long i = 0; i < words; ++i) std::memcpy(data + 8 * i, &pattern, 8);
  std::memcpy(data + 8 * words, &pattern, bytes % 8);
}

std::uint64_t checksum(const char* data, std::size_t bytes, int threads) {
  const long long words = static_cast<long long>(bytes / 8);
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
  for (long long i = 0; i < words; ++i) {
    std::uint64_t word;
    std::memcpy(&word, data + 8 * i, 8);
    sum += draw(word, static_cast<std::uint64_t>(i));
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, data + 8 * words, bytes % 8);
  return sum + draw(rest, static_cast<std::uint64_t>(words));
}

}  // namespace noctune
