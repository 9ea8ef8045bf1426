// Declarations of types for those who bring none: CUDA's vector types on the host, structs from their
// members.
#pragma once

#include <string>

#include "model/mep_spec.hpp"

namespace noctune {

// Definitions of the vector types that these texts name, with make_float4() and the like, for compilers that
// are not CUDA's or HIP's. What `own`, a source, defines itself is left out.
std::string vector_prelude(const std::string& types, const std::string& own);

// Every type that the spec's parameters, members and symbols name, one a line.
std::string types_in(const MepSpec& spec);

// Structs as the spec lists their members.
std::string struct_declarations(const MepSpec& spec);

}  // namespace noctune
