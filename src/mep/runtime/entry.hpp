// The seam between the runtime and the generated glue.cpp, which alone knows the entry's prototype.
// `slots` has one pointer per argument: a buffer's address, that of the records a member lies in, or where a
// by-value argument lies; then scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace noctune {

using Symbol = void (*)();

extern const char* const entry_name;
extern const bool entry_takes_scratch;
extern const bool entry_has_setup;
extern const std::size_t entry_arguments;

// Where an argument lies that is a member of an array of structs: in records that it shares with the other
// members. `owner` is the first of these arguments.
struct Place {
  std::size_t owner, stride;  // stride: bytes of a record; 0 = the argument has a buffer of its own
  std::size_t offset, bytes;  // of the member in a record
  std::size_t alignment;
  const char* name;
};
extern const Place entry_places[];

// The stream that the entry launches on; null on the host.
void* entry_stream();

void call_entry(Symbol entry, void* const* slots);
void call_setup(Symbol setup, void* const* slots);
std::size_t call_scratch_bytes(Symbol scratch_bytes, void* const* slots);
// <entry>_check on the parameters after the call; `before` are the slots of a set as it was before the call;
// 0 = everything holds.
int call_check(Symbol check, void* const* slots, void* const* before, char* why, std::size_t why_size);

// Calls the generator of a data set in the user's inputs.cpp, where there is one: `sizes` in the spec's
// order, `parts` in the set's.
void make_inputs(std::size_t set, const long long* sizes, unsigned long long seed, void* const* parts);

template <class T>
T noctune_argument(void* slot) {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<T>(slot);
  } else {
    return *static_cast<const std::remove_cv_t<T>*>(slot);
  }
}

}  // namespace noctune
