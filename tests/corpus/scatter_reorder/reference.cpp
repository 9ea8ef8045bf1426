#include <cstdint>

#include "corpus/reference.hpp"

namespace {

// The first element that is not where its slot says; -1 where there is none.
template <class T>
long long lost(const corpus::Call& call, const char* from, const char* to) {
  const std::int32_t* slot = call.before<std::int32_t>("slot");
  const long long n = call.integer("n");
  const T *was = call.before<T>(from), *is = call.after<T>(to);
  for (long long i = 0; i < n; i += 3)
    if (was[i] != is[slot[i]]) return i;
  return -1;
}

}  // namespace

// Exact copies, a third of them; the slots add up to those of a permutation.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n");
  const std::int32_t* slot = call.before<std::int32_t>("slot");
  long long sum = 0;
  for (long long i = 0; i < n; ++i) sum += slot[i];
  if (sum != n * (n - 1) / 2) return "the slots are no permutation";
  const long long x = lost<double>(call, "px", "px_sorted"), y = lost<double>(call, "py", "py_sorted");
  const long long id = lost<std::int64_t>(call, "id", "id_sorted");
  if (x < 0 && y < 0 && id < 0) return {};
  return "a particle is not where its slot says: " + std::to_string(x) + ", " + std::to_string(y) + ", " +
         std::to_string(id);
}
