#include "sketch.hpp"

#include "loops.hpp"
#include "random.hpp"

namespace noctune {
namespace {

// One draw gives the signs of 64 elements.
constexpr long long block = 64;

template <class T>
struct Signing {
  const T* data;
  long long count;
  std::uint64_t key;
  NOCTUNE_BOTH void operator()(long long number, Sketch& out) const {
    const std::uint64_t signs = draw(key, static_cast<std::uint64_t>(number));
    const long long first = number * block, last = first + block < count ? first + block : count;
    for (long long i = first; i < last; ++i) {
      const double value = to_double(data[i]);
      // Decided by comparison with the largest number: the driver is compiled without fast-math.
      if (!(value <= 1.7976931348623157e308 && value >= -1.7976931348623157e308)) {
        const std::uint64_t kind = value > 0 ? 1 : value < 0 ? 2 : 3;
        out.bits += kind * draw(key ^ 0x6f6464ULL, static_cast<std::uint64_t>(i));
        continue;
      }
      out.sum += (signs >> (i - first)) & 1 ? value : -value;
      out.squares += value * value;
    }
  }
};

template <class T>
struct Hashing {
  const T* data;
  std::uint64_t key;
  NOCTUNE_BOTH void operator()(long long i, Sketch& out) const {
    out.bits += static_cast<std::uint64_t>(data[i]) * (draw(key, static_cast<std::uint64_t>(i)) | 1);
  }
};

}  // namespace

void sketch_buffer(const char* data, const Argument& argument, std::uint64_t key, int threads, Sketch& out) {
  const long long count = static_cast<long long>(argument.count) * argument.type->components;
  with_component(argument.type->element, [&](auto zero) {
    using T = decltype(zero);
    const T* elements = reinterpret_cast<const T*>(data);
    if constexpr (IsFloating<T>::value) {
      out.add(sum_over<Sketch>((count + block - 1) / block, threads, Signing<T>{elements, count, key}));
    } else {
      out.add(sum_over<Sketch>(count, threads, Hashing<T>{elements, key}));
    }
  });
}

}  // namespace noctune
