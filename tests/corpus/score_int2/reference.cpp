#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long count = call.integer("count");
  const int* marks = call.before<int>("marks");
  long long want = call.before<int>("total")[0];
  for (long long i = count - 1; i >= 0; --i) {
    const long long apart = static_cast<long long>(marks[2 * i]) - marks[2 * i + 1];
    want += apart == 0 ? 4 : -apart * apart;
  }
  return differs("total", 0, call.after<int>("total")[0], static_cast<double>(want), 0, 0);
}
