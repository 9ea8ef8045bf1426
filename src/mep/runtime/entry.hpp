// The seam between the runtime and the generated glue.cpp, which alone knows the entry's prototype.
// `slots` has one pointer per parameter: a buffer's address, or where a by-value argument lies; then scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace noctune {

using Symbol = void (*)();

extern const char* const entry_name;
extern const bool entry_takes_scratch;
extern const bool entry_has_setup;
extern const std::size_t entry_params;

void call_entry(Symbol entry, void* const* slots);
void call_setup(Symbol setup, void* const* slots);
std::size_t call_scratch_bytes(Symbol scratch_bytes, void* const* slots);
// <entry>_check on the parameters after the call and the buffers as they were before; 0 = everything holds.
int call_check(Symbol check, void* const* slots, const void* const* before, char* why, std::size_t why_size);

template <class T>
T noctune_argument(void* slot) {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<T>(slot);
  } else {
    return *static_cast<const std::remove_cv_t<T>*>(slot);
  }
}

}  // namespace noctune
