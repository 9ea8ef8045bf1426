// What a reference of the corpus sees of one call: every parameter of the entry by its name, before and
// after.
#pragma once

#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace corpus {

class Call {
 public:
  template <class T>
  void add(const char* name, T value, const void* before) {
    if constexpr (std::is_pointer_v<T>) {
      pointers_[name] = {before, value};
    } else if constexpr (std::is_arithmetic_v<T>) {
      numbers_[name] = static_cast<double>(value);
    }
    (void)before;
  }
  // By-value parameters, the members of structs by value as "domain.nx" where the harness adds them.
  long long integer(const char* name) const { return static_cast<long long>(real(name)); }
  double real(const char* name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) throw std::runtime_error(std::string("the entry takes no number ") + name);
    return found->second;
  }
  // A buffer as it was before the call, and as the call left it.
  template <class T>
  const T* before(const char* name) const {
    return static_cast<const T*>(pointer(name).before);
  }
  template <class T>
  const T* after(const char* name) const {
    return static_cast<const T*>(pointer(name).after);
  }

 private:
  struct Pointer {
    const void *before, *after;
  };
  const Pointer& pointer(const char* name) const {
    const auto found = pointers_.find(name);
    if (found == pointers_.end()) throw std::runtime_error(std::string("the entry takes no buffer ") + name);
    return found->second;
  }
  std::map<std::string, double> numbers_;
  std::map<std::string, Pointer> pointers_;
};

// Empty when `got` is within `tolerance` of `want`, relative to `scale` (the size of what was added up).
inline std::string differs(const char* what, long long index, double got, double want, double scale,
                           double tolerance) {
  if (std::fabs(got - want) <= tolerance * (std::fabs(want) + scale)) return {};
  char text[200];
  std::snprintf(text, sizeof text, "%s[%lld] is %.9g, the reference says %.9g", what, index, got, want);
  return text;
}

// Written by each entry of the corpus: empty when the call did what an independent computation says.
std::string reference(const Call& call);

}  // namespace corpus
