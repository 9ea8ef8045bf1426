#include "records.hpp"

#include <cstring>

namespace noctune {
namespace {

long long records_of(const Place& place, std::size_t bytes) {
  return static_cast<long long>(bytes / place.bytes);
}

}  // namespace

void gather(const char* records, const Place& place, char* to, std::size_t bytes, int threads) {
  const long long count = records_of(place, bytes);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (long long i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    std::memcpy(to + at * place.bytes, records + at * place.stride + place.offset, place.bytes);
  }
}

void scatter(char* records, const Place& place, const char* from, std::size_t bytes, int threads) {
  const long long count = records_of(place, bytes);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (long long i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    std::memcpy(records + at * place.stride + place.offset, from + at * place.bytes, place.bytes);
  }
}

}  // namespace noctune
