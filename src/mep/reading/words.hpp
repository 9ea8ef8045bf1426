// The words that a kernel source may use without declaring them: C++, CUDA, HIP and their libraries.
#pragma once

#include <string>

namespace noctune::reading {

bool is_keyword(const std::string& word);            // of C and C++, less the types
bool is_builtin_type_word(const std::string& word);  // "unsigned", "float": may stand beside another
bool is_known_type(const std::string& word);         // also size_t, float4, half, dim3 ...
bool is_vector_type(const std::string& word);        // float4, uchar2, ...
bool is_storage_word(const std::string& word);       // static, inline, __device__, ...: no part of a type
bool is_qualifier(const std::string& word);          // const, volatile, __restrict__ and its spellings
bool is_attribute(const std::string& word);     // may be followed by parentheses: __launch_bounds__, alignas
bool is_device_word(const std::string& word);   // threadIdx, warpSize, hipThreadIdx_x, ...
bool is_library_name(const std::string& word);  // functions and constants of libc, libm, CUDA, HIP, OpenMP
bool is_atomic_function(const std::string& word);
bool is_barrier(const std::string& word);
bool is_warp_intrinsic(const std::string& word);

// Bytes of a builtin, vector or fixed-width type; 0 where unknown.
int size_of_type(const std::string& type);

}  // namespace noctune::reading
