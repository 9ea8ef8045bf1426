#include "sketch.hpp"

#include <cmath>

#include "random.hpp"

namespace noctune {
namespace {

// One draw gives the signs of 64 elements.
constexpr long long block = 64;

template <class T>
void sketch_floats(const T* data, long long count, std::uint64_t key, int threads, Sketch& out) {
  double sum = 0, squares = 0;
  std::uint64_t odd = 0;
  const long long blocks = (count + block - 1) / block;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum, squares, odd)
  for (long long b = 0; b < blocks; ++b) {
    const std::uint64_t signs = draw(key, static_cast<std::uint64_t>(b));
    const long long first = b * block, last = first + block < count ? first + block : count;
    for (long long i = first; i < last; ++i) {
      const double value = to_double(data[i]);
      // Decided by comparison with the largest number: the driver is compiled without fast-math.
      if (!(std::fabs(value) <= 1.7976931348623157e308)) {
        const std::uint64_t kind = value > 0 ? 1 : value < 0 ? 2 : 3;
        odd += kind * draw(key ^ 0x6f6464ULL, static_cast<std::uint64_t>(i));
        continue;
      }
      sum += (signs >> (i - first)) & 1 ? value : -value;
      squares += value * value;
    }
  }
  out.sum += sum;
  out.squares += squares;
  out.bits += odd;
}

template <class T>
void sketch_integers(const T* data, long long count, std::uint64_t key, int threads, Sketch& out) {
  std::uint64_t bits = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : bits)
  for (long long i = 0; i < count; ++i)
    bits += static_cast<std::uint64_t>(data[i]) * (draw(key, static_cast<std::uint64_t>(i)) | 1);
  out.bits += bits;
}

}  // namespace

void sketch_buffer(const char* data, const Argument& argument, std::uint64_t key, int threads, Sketch& out) {
  const long long count = static_cast<long long>(argument.count) * argument.type->components;
  with_component(argument.type->element, [&](auto zero) {
    using T = decltype(zero);
    const T* elements = reinterpret_cast<const T*>(data);
    if constexpr (IsFloating<T>::value) {
      sketch_floats(elements, count, key, threads, out);
    } else {
      sketch_integers(elements, count, key, threads, out);
    }
  });
}

}  // namespace noctune
