// How many elements a buffer has: one more than the largest index that any access can reach.
#pragma once

#include <optional>
#include <string>

#include "mep/completion/array_access.hpp"

namespace noctune {

struct BufferExtent {
  std::optional<Polynomial> count;  // absent: no access says
  std::string because;              // the index text that decided
  bool all_known = true;            // false: some access could not be followed
};

// `settled` gives what contents decide ("col!max") where that is known already.
BufferExtent extent_of(const std::string& buffer, const ArrayAccesses& accesses,
                       const std::map<std::string, Polynomial>& settled);

// With the settled names put in.
Polynomial with_settled(Polynomial polynomial, const std::map<std::string, Polynomial>& settled);

// n - 2 elements of an interior: the whole grid of n. Nothing where the count is one already.
std::optional<Polynomial> whole_grid(const Polynomial& count);

// (rows - 1)*ld + cols with another name for the pitch: rows*ld, and cols is what ld must hold at least.
struct PitchedExtent {
  Polynomial count;
  std::string pitch;  // empty: none
  Polynomial width;
};
PitchedExtent whole_rows(const Polynomial& count);

}  // namespace noctune
