// What one element of a buffer is, as the driver, the comparison and the results name it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace noctune {

enum class ElementType { f64, f32, f16, bf16, i8, u8, i16, u16, i32, u32, i64, u64, boolean, c64, c128 };

const char* to_text(ElementType type);  // "f64", "c128", ...: the names used in command files
std::optional<ElementType> element_type_from(const std::string& name);
std::size_t size_of(ElementType type);
bool is_floating(ElementType type);      // complex types included
int components(ElementType type);        // 2 for complex types
double unit_roundoff(ElementType type);  // 0 for integers

// What a type consists of: "float4*" of four f32, "double (*)[3]" of three f64, "int" of one i32.
struct ElementForm {
  ElementType element = ElementType::f64;
  long long scalars = 1;
  std::string vector;  // "float4" where it is a vector type, or an array of one
};

// Of a parameter type as in a prototype: "const double*", "unsigned long", "real_t" where the defines say
// what real_t is. Nothing when the type is not known.
std::optional<ElementForm> element_form_of(const std::string& parameter_type,
                                           const std::map<std::string, std::string>& defines = {});
// The scalar alone.
std::optional<ElementType> element_of(const std::string& parameter_type,
                                      const std::map<std::string, std::string>& defines = {});

// CUDA's vector types: "float" and 4 for "float4".
struct VectorType {
  std::string scalar;  // as C++ spells it: "unsigned char"
  ElementType element = ElementType::f32;
  int lanes = 1;
  std::size_t alignment = 4;  // as CUDA has it
};
std::optional<VectorType> vector_type(const std::string& name);

}  // namespace noctune
