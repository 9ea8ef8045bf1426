#include <cstdint>

#include "corpus/reference.hpp"

namespace {

// Sums that hardly any other multiset of keys has.
std::uint64_t mixed(std::uint64_t key) {
  key = (key ^ 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  return (key ^ (key >> 31)) * 0x94d049bb133111ebULL;
}

}  // namespace

// Ascending, and the same keys.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n");
  const unsigned *before = call.before<unsigned>("keys"), *after = call.after<unsigned>("keys");
  std::uint64_t was = 0, is = 0;
  for (long long i = 0; i < n; ++i) {
    if (i > 0 && after[i - 1] > after[i]) return "keys are out of order at " + std::to_string(i);
    was += mixed(before[i]);
    is += mixed(after[i]);
  }
  return was == is ? "" : "the sorted keys are not those given";
}
