#include "model/mep_default_cases.hpp"

#include <algorithm>

namespace noctune {
namespace {

// Primes by how many sizes scale, so that the product stays near ten thousand to a hundred thousand.
std::vector<long long> odd_values(std::size_t scaling) {
  if (scaling == 1) return {1009};
  if (scaling == 2) return {131, 97};
  if (scaling == 3) return {43, 29, 37};
  return {13, 17, 11, 19, 7, 23, 5, 29};
}

long long within(const SizeSpec& size, long long wanted) {
  long long value = wanted;
  if (size.power_of_two) {
    value = 1;
    while (2 * value <= wanted || value < size.min) value *= 2;
  } else if (size.multiple_of > 1) {
    value = std::max(1LL, wanted / size.multiple_of) | 1;  // an odd multiple
    value *= size.multiple_of;
  }
  if (value < size.min)
    value =
        size.power_of_two ? value : (size.min + size.multiple_of - 1) / size.multiple_of * size.multiple_of;
  while (value > size.max && size.power_of_two) value /= 2;
  if (value > size.max) value = size.max / size.multiple_of * size.multiple_of;
  return value;
}

}  // namespace

std::vector<CaseSpec> default_cases(const std::vector<SizeSpec>& sizes) {
  CaseSpec timed, odd;
  timed.name = "time";
  odd.name = "odd";
  odd.use = CaseUse::check;
  const auto scales = [](const SizeSpec& size) { return size.scale; };
  const std::vector<long long> values =
      odd_values(static_cast<std::size_t>(std::count_if(sizes.begin(), sizes.end(), scales)));
  std::size_t next = 0;
  for (const SizeSpec& size : sizes) {
    if (!size.scale) continue;
    timed.sizes[size.name] = "auto";
    odd.sizes[size.name] = std::to_string(within(size, values[next++ % values.size()]));
  }
  if (next == 0) return {timed};
  return {timed, odd};
}

}  // namespace noctune
