// What a kernel does with a buffer, from its accesses: const says only that nothing is written.
#pragma once

#include <string>

#include "mep/completion/array_access.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

struct BufferRole {
  Role role = Role::in;
  bool keep_unwritten = false;  // some elements may stay as they were
  bool counts = false;          // only updated, as sums and counters are: wants zeros where it holds integers
  std::string why;              // "read and written in place"
};

BufferRole role_of(const std::string& buffer, const ArrayAccesses& accesses);

}  // namespace noctune
