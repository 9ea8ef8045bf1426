// Linked into drivers with AddressSanitizer only: says whose buffer an access missed, which that does not
// know.
#include <stdio.h>

#include "fences.hpp"

extern "C" void* __asan_get_report_address();

// Called before a report is printed.
extern "C" __attribute__((visibility("default"))) void __asan_on_error() {
  const std::string place = noctune::place_near_buffer(static_cast<const char*>(__asan_get_report_address()));
  if (!place.empty()) fprintf(stderr, "memory %s\n", place.c_str());
}
