// What a reference of the corpus sees of one call: every parameter of the entry by its name, before and
// after.
#pragma once

#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#pragma push_macro("real")  // an alias that kernels like
#undef real

namespace corpus {

// A buffer read as double precision, whatever its declared type: aliases may be float or double.
class Numbers {
 public:
  Numbers() = default;
  template <class T>
  explicit Numbers(const T* data)
      : data_(data),
        read_([](const void* from, long long i) {
          return static_cast<double>(static_cast<const T*>(from)[i]);
        }),
        epsilon_(std::is_integral_v<T> ? 0 : static_cast<double>(std::numeric_limits<T>::epsilon())) {}
  double operator[](long long i) const { return read_(data_, i); }
  bool readable() const { return data_ != nullptr; }
  double epsilon() const { return epsilon_; }  // of the declared type; 0 for integers

 private:
  const void* data_ = nullptr;
  double (*read_)(const void*, long long) = nullptr;
  double epsilon_ = 0;
};

template <class T, class = void>
struct has_x : std::false_type {};
template <class T>
struct has_x<T, std::void_t<decltype(std::declval<T>().x)>> : std::is_arithmetic<decltype(T::x)> {};
template <class T, class = void>
struct has_y : std::false_type {};
template <class T>
struct has_y<T, std::void_t<decltype(std::declval<T>().y)>> : std::true_type {};

class Call {
 public:
  template <class T>
  void add(const char* name, T value, const void* before) {
    if constexpr (std::is_pointer_v<T>) {
      using Element = std::remove_cv_t<std::remove_all_extents_t<std::remove_pointer_t<T>>>;
      pointers_[name] = {before, value, {}, {}, 0};
      if constexpr (std::is_arithmetic_v<Element>) {
        pointers_[name].bytes = sizeof(Element);
        pointers_[name].was = Numbers(static_cast<const Element*>(before));
        pointers_[name].now = Numbers(static_cast<const Element*>(static_cast<const void*>(value)));
      }
    } else if constexpr (std::is_arithmetic_v<T>) {
      numbers_[name] = static_cast<double>(value);
    } else if constexpr (has_x<T>::value) {  // a vector type by value
      numbers_[std::string(name) + ".x"] = static_cast<double>(value.x);
      if constexpr (has_y<T>::value) numbers_[std::string(name) + ".y"] = static_cast<double>(value.y);
    }
    (void)before;
  }
  // By-value parameters, the members of structs by value as "domain.nx" where the harness adds them.
  long long integer(const char* name) const { return static_cast<long long>(number(name)); }
  bool takes_number(const char* name) const { return numbers_.count(name) > 0; }
  double number(const char* name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) throw std::runtime_error(std::string("the entry takes no number ") + name);
    return found->second;
  }
  double real(const char* name) const { return number(name); }
  // A buffer as it was before the call, and as the call left it.
  template <class T>
  const T* before(const char* name) const {
    return static_cast<const T*>(pointer(name).before);
  }
  template <class T>
  const T* after(const char* name) const {
    return static_cast<const T*>(pointer(name).after);
  }
  // The same for buffers of numbers.
  const Numbers& was(const char* name) const { return numbers(name, pointer(name).was); }
  const Numbers& now(const char* name) const { return numbers(name, pointer(name).now); }
  // Whether element i of a buffer of numbers has the bits it had before.
  bool untouched(const char* name, long long i) const {
    const Pointer& at = pointer(name);
    const std::size_t from = static_cast<std::size_t>(i) * at.bytes;
    return std::memcmp(static_cast<const char*>(at.before) + from, static_cast<const char*>(at.after) + from,
                       at.bytes) == 0;
  }

 private:
  struct Pointer {
    const void *before, *after;
    Numbers was, now;
    std::size_t bytes;  // of an element
  };
  static const Numbers& numbers(const char* name, const Numbers& all) {
    if (!all.readable()) throw std::runtime_error(std::string(name) + " is no buffer of numbers");
    return all;
  }
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

// The step that visits about `samples` of `total` positions; odd, so that it falls into step with no row.
inline long long stride(long long total, long long samples = 2000) {
  return (total / samples > 0 ? total / samples : 1) | 1;
}

// Written by each entry of the corpus: empty when the call did what an independent computation says.
std::string reference(const Call& call);

}  // namespace corpus

#pragma pop_macro("real")
