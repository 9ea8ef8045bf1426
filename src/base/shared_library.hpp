// A library loaded at run time, for what a build must not depend on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

class SharedLibrary {
 public:
  // The first of `names` that loads; the error is the first one's.
  static Result<SharedLibrary> open(const std::vector<std::string>& names);

  // The first of `symbols` that the library has, which must be of the type asked for; null = none.
  template <class Function>
  Function* function(std::initializer_list<const char*> symbols) const {
    for (const char* symbol : symbols)
      if (void* address = find(symbol)) return reinterpret_cast<Function*>(address);
    return nullptr;
  }
  const std::string& name() const { return name_; }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* find(const char* symbol) const;

  std::unique_ptr<void, Close> handle_;
  std::string name_;
};

}  // namespace noctune
