// The arguments of an entry as the driver makes them: parameters without structs as they are, those with
// structs taken apart into their members. ResolvedCase::args holds one plan per leaf, in this order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

struct Leaf {
  enum class Kind {
    value,    // a number, passed by value or a member of what is
    buffer,   // what a pointer points to
    inlined,  // several numbers in one value: an array in a struct, a vector type; made as a small buffer
    member    // of the structs in an array: a strided view into records that leaves share
  };
  Kind kind = Kind::value;
  std::string name;       // "atoms.pos.x", as in messages and reports
  ParamSpec param;        // under that name, with what holds for the leaf alone: its own type, the count and
                          // role of its records
  std::size_t place = 0;  // of the parameter in the spec
  std::string records;    // member: the name of the pointer to its records, "atoms"
  std::string path;       // member: within a record, "pos.x"
};

std::vector<Leaf> leaves_of(const MepSpec& spec);

}  // namespace noctune
