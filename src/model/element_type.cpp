#include "model/element_type.hpp"

#include <array>
#include <sstream>
#include <vector>

#include "model/c_type.hpp"

namespace noctune {
namespace {

struct Traits {
  ElementType type;
  const char* name;
  std::size_t bytes;
  int components;
  double roundoff;  // 0 = not floating point
};

constexpr std::array<Traits, 15> all_traits = {{{ElementType::f64, "f64", 8, 1, 0x1p-53},
                                                {ElementType::f32, "f32", 4, 1, 0x1p-24},
                                                {ElementType::f16, "f16", 2, 1, 0x1p-11},
                                                {ElementType::bf16, "bf16", 2, 1, 0x1p-8},
                                                {ElementType::i8, "i8", 1, 1, 0},
                                                {ElementType::u8, "u8", 1, 1, 0},
                                                {ElementType::i16, "i16", 2, 1, 0},
                                                {ElementType::u16, "u16", 2, 1, 0},
                                                {ElementType::i32, "i32", 4, 1, 0},
                                                {ElementType::u32, "u32", 4, 1, 0},
                                                {ElementType::i64, "i64", 8, 1, 0},
                                                {ElementType::u64, "u64", 8, 1, 0},
                                                {ElementType::boolean, "bool", 1, 1, 0},
                                                {ElementType::c64, "c64", 8, 2, 0x1p-24},
                                                {ElementType::c128, "c128", 16, 2, 0x1p-53}}};

const Traits& traits(ElementType type) {
  return all_traits[static_cast<std::size_t>(type)];
}

// Spelled as words in the order that normalise() leaves: sorted integer words, qualifiers gone.
const std::map<std::string, ElementType>& spellings() {
  static const std::map<std::string, ElementType> known = {{"double", ElementType::f64},
                                                           {"float", ElementType::f32},
                                                           {"_Float16", ElementType::f16},
                                                           {"__bf16", ElementType::bf16},
                                                           {"half", ElementType::f16},
                                                           {"__half", ElementType::f16},
                                                           {"__nv_bfloat16", ElementType::bf16},
                                                           {"uint", ElementType::u32},
                                                           {"ushort", ElementType::u16},
                                                           {"ulong", ElementType::u64},
                                                           {"uchar", ElementType::u8},
                                                           {"bool", ElementType::boolean},
                                                           {"_Bool", ElementType::boolean},
                                                           {"char", ElementType::i8},
                                                           {"signed char", ElementType::i8},
                                                           {"unsigned char", ElementType::u8},
                                                           {"short", ElementType::i16},
                                                           {"unsigned short", ElementType::u16},
                                                           {"int", ElementType::i32},
                                                           {"unsigned", ElementType::u32},
                                                           {"unsigned int", ElementType::u32},
                                                           {"signed", ElementType::i32},
                                                           {"signed int", ElementType::i32},
                                                           {"short int", ElementType::i16},
                                                           {"unsigned short int", ElementType::u16},
                                                           {"long", ElementType::i64},
                                                           {"long int", ElementType::i64},
                                                           {"unsigned long", ElementType::u64},
                                                           {"unsigned long int", ElementType::u64},
                                                           {"long long", ElementType::i64},
                                                           {"long long int", ElementType::i64},
                                                           {"unsigned long long", ElementType::u64},
                                                           {"unsigned long long int", ElementType::u64},
                                                           {"size_t", ElementType::u64},
                                                           {"ptrdiff_t", ElementType::i64},
                                                           {"int8_t", ElementType::i8},
                                                           {"uint8_t", ElementType::u8},
                                                           {"int16_t", ElementType::i16},
                                                           {"uint16_t", ElementType::u16},
                                                           {"int32_t", ElementType::i32},
                                                           {"uint32_t", ElementType::u32},
                                                           {"int64_t", ElementType::i64},
                                                           {"uint64_t", ElementType::u64},
                                                           {"std::complex<float>", ElementType::c64},
                                                           {"std::complex<double>", ElementType::c128},
                                                           {"float _Complex", ElementType::c64},
                                                           {"double _Complex", ElementType::c128}};
  return known;
}

bool is_qualifier(const std::string& word) {
  for (const char* known : {"const", "volatile", "restrict", "__restrict", "__restrict__", "struct"})
    if (word == known) return true;
  return false;
}

// "const double * __restrict__" -> "double"
std::string normalise(const std::string& type) {
  std::string spaced;
  for (char c : type) spaced += c == '*' ? ' ' : c;
  std::istringstream words(spaced);
  std::string out, word;
  while (words >> word) {
    if (is_qualifier(word)) continue;
    if (word.rfind("std::", 0) == 0 && word.find('<') == std::string::npos) word = word.substr(5);
    out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

}  // namespace

const char* to_text(ElementType type) {
  return traits(type).name;
}
std::size_t size_of(ElementType type) {
  return traits(type).bytes;
}
bool is_floating(ElementType type) {
  return traits(type).roundoff > 0;
}
int components(ElementType type) {
  return traits(type).components;
}
double unit_roundoff(ElementType type) {
  return traits(type).roundoff;
}

std::optional<ElementType> element_type_from(const std::string& name) {
  for (const Traits& candidate : all_traits)
    if (name == candidate.name) return candidate.type;
  return {};
}

std::optional<ElementForm> element_form_of(const std::string& parameter_type,
                                           const std::map<std::string, std::string>& defines) {
  const std::optional<long long> elements = elements_per(parameter_type, defines);
  if (!elements) return {};
  std::string name = normalise(parameter_type.substr(0, parameter_type.find_first_of("[(")));
  for (int depth = 0; depth < 8; ++depth) {
    if (const auto vector = vector_type(name))
      return ElementForm{vector->element, vector->lanes * *elements, name};
    const auto known = spellings().find(name);
    if (known != spellings().end()) return ElementForm{known->second, *elements, {}};
    const auto alias = defines.find(name);
    if (alias == defines.end()) return {};
    name = normalise(alias->second);
  }
  return {};
}

std::optional<ElementType> element_of(const std::string& parameter_type,
                                      const std::map<std::string, std::string>& defines) {
  const auto form = element_form_of(parameter_type, defines);
  return form ? std::optional<ElementType>(form->element) : std::nullopt;
}

std::optional<VectorType> vector_type(const std::string& name) {
  static const std::map<std::string, std::pair<const char*, ElementType>> scalars = {
      {"float", {"float", ElementType::f32}},
      {"double", {"double", ElementType::f64}},
      {"char", {"signed char", ElementType::i8}},
      {"uchar", {"unsigned char", ElementType::u8}},
      {"short", {"short", ElementType::i16}},
      {"ushort", {"unsigned short", ElementType::u16}},
      {"int", {"int", ElementType::i32}},
      {"uint", {"unsigned int", ElementType::u32}},
      {"long", {"long", ElementType::i64}},
      {"ulong", {"unsigned long", ElementType::u64}},
      {"longlong", {"long long", ElementType::i64}},
      {"ulonglong", {"unsigned long long", ElementType::u64}}};
  if (name.size() < 4 || name.back() < '1' || name.back() > '4') return {};
  const auto found = scalars.find(name.substr(0, name.size() - 1));
  if (found == scalars.end()) return {};
  VectorType out{found->second.first, found->second.second, name.back() - '0', 0};
  const std::size_t bytes = size_of(out.element);
  // Two lanes lie on their common size, four likewise but never beyond 16 bytes, one and three as a scalar.
  const std::size_t whole = bytes * static_cast<std::size_t>(out.lanes);
  out.alignment = out.lanes % 2 ? bytes : whole < 16 ? whole : 16;
  return out;
}

}  // namespace noctune
