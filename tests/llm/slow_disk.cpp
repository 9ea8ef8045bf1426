// Preloaded by the kill test: renames and removals take as long as on a loaded network file system, so that
// kills fall between the steps of the protocol and not only into the long calls.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <ctime>

namespace {

void wait_a_little() {
  constexpr unsigned longest_us = 20000;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  ::usleep(static_cast<unsigned>(now.tv_nsec / 1000) % longest_us);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  const int result = real(from, to);
  wait_a_little();
  return result;
}

extern "C" int unlink(const char* path) noexcept {
  static const auto real = next<int (*)(const char*)>("unlink");
  const int result = real(path);
  wait_a_little();
  return result;
}
