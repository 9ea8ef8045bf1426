#include "records.hpp"

#include <cstring>

#include "loops.hpp"

namespace noctune {
namespace {

long long records_of(const Place& place, std::size_t bytes) {
  return static_cast<long long>(bytes / place.bytes);
}

struct Gathering {
  const char* records;
  Place place;
  char* to;
  NOCTUNE_BOTH void operator()(long long i) const {
    const std::size_t at = static_cast<std::size_t>(i);
    copy_bytes(to + at * place.bytes, records + at * place.stride + place.offset, place.bytes);
  }
};

struct Scattering {
  char* records;
  Place place;
  const char* from;
  NOCTUNE_BOTH void operator()(long long i) const {
    const std::size_t at = static_cast<std::size_t>(i);
    copy_bytes(records + at * place.stride + place.offset, from + at * place.bytes, place.bytes);
  }
};

}  // namespace

void gather(const char* records, const Place& place, char* to, std::size_t bytes, int threads) {
  for_each_index(records_of(place, bytes), threads, Gathering{records, place, to});
}

void scatter(char* records, const Place& place, const char* from, std::size_t bytes, int threads) {
  for_each_index(records_of(place, bytes), threads, Scattering{records, place, from});
}

}  // namespace noctune
