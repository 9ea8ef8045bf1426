#include "base/shared_library.hpp"

#include <dlfcn.h>

namespace noctune {

void SharedLibrary::Close::operator()(void* handle) const {
  ::dlclose(handle);
}

Result<SharedLibrary> SharedLibrary::open(const std::vector<std::string>& names) {
  std::string first;
  for (const std::string& name : names) {
    if (void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(handle, name);
    const char* reason = ::dlerror();
    if (first.empty()) first = reason ? reason : "no reason given";
  }
  return fail(names.empty() ? "no library" : names.front() + " cannot be loaded", first);
}

void* SharedLibrary::find(const char* symbol) const {
  return ::dlsym(handle_.get(), symbol);
}

}  // namespace noctune
