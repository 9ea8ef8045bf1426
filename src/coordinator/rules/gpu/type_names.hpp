// The types that names of a kernel source have, spelled the way the rules compare them.
#pragma once

#include <map>
#include <set>
#include <string>

#include "model/source_facts.hpp"

namespace noctune::rules::gpu {

struct TypeNames {
  std::map<std::string, std::string> aliases;  // "real" -> "float"
  std::set<std::string> others;                // structs, and types of templates
  std::map<std::string, std::string> names;    // variables, parameters and integer macros, canonical types

  // "const real* __restrict__" -> "const float *"; unknown words stay.
  std::string canonical(const std::string& type) const;
  bool is_type(const std::string& word) const;
  std::string type_of(const std::string& name) const;  // empty = unknown
};

// What the files declare at their outermost level.
TypeNames type_names(const SourceFacts& context, const SourceFacts& source);

// Of float4 and the like: the type of a member, or empty.
std::string member_type(const std::string& vector_type);

}  // namespace noctune::rules::gpu
