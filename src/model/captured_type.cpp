#include "model/captured_type.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>

#include "model/c_type.hpp"
#include "model/element_type.hpp"
#include "model/expression.hpp"

namespace noctune {
namespace {

bool is_bytes(const CapturedArgument& argument) {
  return argument.type.rfind("bytes:", 0) == 0;
}

const char* spelled(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return "double";
    case ElementType::f32:
      return "float";
    case ElementType::f16:
      return "__half";
    case ElementType::bf16:
      return "__nv_bfloat16";
    case ElementType::i8:
      return "int8_t";
    case ElementType::u8:
      return "uint8_t";
    case ElementType::i16:
      return "int16_t";
    case ElementType::u16:
      return "uint16_t";
    case ElementType::i32:
      return "int32_t";
    case ElementType::u32:
      return "uint32_t";
    case ElementType::i64:
      return "int64_t";
    case ElementType::u64:
      return "uint64_t";
    case ElementType::boolean:
      return "bool";
    case ElementType::c64:
      return "std::complex<float>";
    case ElementType::c128:
      return "std::complex<double>";
  }
  return "";
}

int digit(char c) {
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= '0' && c <= '9' ? c - '0' : -1;
}

// "0x0000803f" as bytes; nothing for what is none.
std::optional<std::string> bytes_of(const std::string& text) {
  if (text.rfind("0x", 0) != 0 || text.size() % 2 != 0) return {};
  std::string out;
  for (std::size_t i = 2; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return {};
    out += static_cast<char>(16 * high + low);
  }
  return out;
}

template <class T>
T as(const std::string& bytes) {
  T out;
  std::memcpy(&out, bytes.data(), sizeof out);
  return out;
}

std::string real_text(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// A number of this type; nothing for what is written as bytes.
std::optional<std::string> number_text(ElementType type, const std::string& bytes) {
  if (bytes.size() != size_of(type)) return {};
  switch (type) {
    case ElementType::f64:
      return real_text(as<double>(bytes));
    case ElementType::f32:
      return real_text(static_cast<double>(as<float>(bytes)));
    case ElementType::i8:
      return std::to_string(as<std::int8_t>(bytes));
    case ElementType::u8:
    case ElementType::boolean:
      return std::to_string(as<std::uint8_t>(bytes));
    case ElementType::i16:
      return std::to_string(as<std::int16_t>(bytes));
    case ElementType::u16:
      return std::to_string(as<std::uint16_t>(bytes));
    case ElementType::i32:
      return std::to_string(as<std::int32_t>(bytes));
    case ElementType::u32:
      return std::to_string(as<std::uint32_t>(bytes));
    case ElementType::i64:
      return std::to_string(as<std::int64_t>(bytes));
    case ElementType::u64:
      return std::to_string(as<std::uint64_t>(bytes));
    default:
      return {};
  }
}

void declare_value(CapturedArgument& argument, const std::string& declared,
                   const std::map<std::string, std::string>& aliases) {
  const std::optional<std::string> bytes = bytes_of(argument.value);
  const std::optional<ElementForm> form = element_form_of(declared, aliases);
  if (!bytes || !form || form->scalars != 1 || !form->vector.empty()) return;
  const std::optional<std::string> text = number_text(form->element, *bytes);
  if (!text) return;
  argument.value = *text;
  argument.type = spelled(form->element);
}

// A pointer that was null, or led nowhere, is a buffer without elements.
void declare_pointer(CapturedArgument& argument, const std::string& declared,
                     const std::map<std::string, std::string>& aliases) {
  if (argument.role == "value") {
    argument.count = 0;
    argument.value.clear();
    argument.type = "bytes:1";
  }
  const bool read_only = declared.find("const") < declared.find('*') && stars_of(declared) == 1;
  argument.role = read_only ? "in" : "inout";
  const std::optional<ElementForm> form = element_form_of(declared, aliases);
  if (!form || stars_of(declared) != 1) return;
  const long long size = static_cast<long long>(size_of(form->element)) *
                         (form->vector.empty() ? 1 : std::max(1LL, form->scalars));
  argument.type = form->vector.empty() ? spelled(form->element) : form->vector;
  argument.count /= size;
}

// "spmv_double" is an instance of "spmv". The longest name that fits.
const KernelParameters* parameters_of(const std::string& kernel, const std::vector<KernelParameters>& known) {
  const KernelParameters* best = nullptr;
  for (const KernelParameters& one : known) {
    const bool fits = kernel == one.kernel || kernel.rfind(one.kernel + "_", 0) == 0;
    if (fits && (!best || one.kernel.size() > best->kernel.size())) best = &one;
  }
  return best;
}

void cut(CapturedArgument& argument, const std::string& count, const Symbols& values) {
  const Result<long long> used = evaluate_integer(count, values);
  if (!used || *used < 1 || *used >= argument.count) return;
  argument.count = *used;
  argument.length = std::min(argument.length, argument.count * element_bytes(argument.type));
}

}  // namespace

long long element_bytes(const std::string& captured_type) {
  if (captured_type.rfind("bytes:", 0) == 0)
    return std::max(1LL, std::strtoll(captured_type.c_str() + 6, nullptr, 10));
  const std::optional<ElementForm> form = element_form_of(captured_type + "*");
  return form ? static_cast<long long>(size_of(form->element)) * form->scalars : 1;
}

void declare_argument(CapturedArgument& argument, const std::string& declared,
                      const std::map<std::string, std::string>& aliases) {
  if (!is_bytes(argument) || declared.empty()) return;
  const bool pointer = is_pointer_type(declared);
  if (pointer && (argument.role != "value" || argument.type == "bytes:8"))
    declare_pointer(argument, declared, aliases);
  else if (!pointer && argument.role == "value")
    declare_value(argument, declared, aliases);
}

std::string unnamed_argument(std::size_t position) {
  return "arg" + std::to_string(position);
}

std::string name_arguments(CapturedLaunch& launch, const std::vector<KernelParameters>& known) {
  std::vector<std::size_t> unnamed;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    if (launch.arguments[i].name == unnamed_argument(i)) unnamed.push_back(i);
  if (unnamed.empty()) return {};
  const KernelParameters* own = parameters_of(launch.kernel, known);
  if (!own) return "nothing names the arguments of " + launch.kernel + ": give its source or spec by --names";
  if (own->parameters.size() != launch.arguments.size())
    return launch.kernel + " was launched with " + std::to_string(launch.arguments.size()) +
           " arguments, but " + own->kernel + " has " + std::to_string(own->parameters.size()) +
           " parameters by --names";
  Symbols values;
  for (const std::size_t i : unnamed) {
    CapturedArgument& argument = launch.arguments[i];
    const KernelParameters::Parameter& parameter = own->parameters[i];
    if (!parameter.name.empty()) argument.name = parameter.name;
    declare_argument(argument, parameter.type, own->aliases);
    if (argument.role != "value" && !parameter.role.empty()) argument.role = parameter.role;
    if (argument.role == "value") values[argument.name] = std::strtod(argument.value.c_str(), nullptr);
  }
  for (const std::size_t i : unnamed)
    if (launch.arguments[i].role != "value") cut(launch.arguments[i], own->parameters[i].count, values);
  return {};
}

}  // namespace noctune
