#include <cstdint>

#include "corpus/reference.hpp"

// Exact copies; each slot is met once.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n");
  const std::int32_t* slot = call.before<std::int32_t>("slot");
  long long sum = 0;
  for (long long i = 0; i < n; ++i) {
    const bool same = call.before<double>("px")[i] == call.after<double>("px_sorted")[slot[i]] &&
                      call.before<double>("py")[i] == call.after<double>("py_sorted")[slot[i]] &&
                      call.before<std::int64_t>("id")[i] == call.after<std::int64_t>("id_sorted")[slot[i]];
    if (!same) return "particle " + std::to_string(i) + " is not where its slot says";
    sum += slot[i];
  }
  return sum == n * (n - 1) / 2 ? "" : "the slots are no permutation";
}
