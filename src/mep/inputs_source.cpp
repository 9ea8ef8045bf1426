#include "mep/inputs_source.hpp"

#include <algorithm>

#include "model/element_type.hpp"

namespace noctune {
namespace {

std::string function_name(const MepSpec& spec, const DataSpec& data) {
  return spec.entry + "_make_" + data.name;
}

std::string declaration(const MepSpec& spec, const DataSpec& data) {
  std::string parameters;
  for (const SizeSpec& size : spec.sizes) parameters += "long long " + size.name + ", ";
  parameters += "unsigned long long seed";
  for (const DataPart& part : data.parts) parameters += ", " + part.type + "* " + part.name;
  return "extern \"C\" void " + function_name(spec, data) + "(" + parameters + ");\n";
}

// A part is as long as the spec takes it for.
std::string assertions(const MepSpec& spec, const DataSpec& data) {
  std::string out;
  for (const DataPart& part : data.parts)
    if (const auto form = element_form_of(part.type + "*", spec.defines))
      out += "static_assert(sizeof(" + part.type +
             ") == " + std::to_string(static_cast<std::size_t>(form->scalars) * size_of(form->element)) +
             ", \"the spec takes " + data.name + "." + part.name + " for " + to_text(form->element) +
             "\");\n";
  return out;
}

std::string call(const MepSpec& spec, const DataSpec& data) {
  std::string arguments;
  for (std::size_t i = 0; i < spec.sizes.size(); ++i) arguments += "sizes[" + std::to_string(i) + "], ";
  arguments += "seed";
  for (std::size_t i = 0; i < data.parts.size(); ++i)
    arguments += ", static_cast<" + data.parts[i].type + "*>(parts[" + std::to_string(i) + "])";
  return "::" + function_name(spec, data) + "(" + arguments + ");";
}

}  // namespace

bool needs_inputs(const MepSpec& spec) {
  return std::any_of(spec.data.begin(), spec.data.end(),
                     [](const DataSpec& data) { return data.gen == "code"; });
}

std::string inputs_header(const MepSpec& spec) {
  std::string out = "#pragma once\n#include \"context.hpp\"\n";
  for (const DataSpec& data : spec.data)
    if (data.gen == "code") out += declaration(spec, data) + assertions(spec, data);
  return out;
}

std::string inputs_source(const std::string& text) {
  return "#include \"inputs.hpp\"\n#line 1 \"inputs.cpp\"\n" + text;
}

std::string inputs_glue(const MepSpec& spec) {
  const std::string head = "\nnamespace noctune {\n\nvoid make_inputs(";
  if (!needs_inputs(spec))
    return head +
           "std::size_t, const long long*, unsigned long long, void* const*) {}\n\n}  // namespace noctune\n";
  std::string out = "\n#include \"inputs.hpp\"\n" + head +
                    "std::size_t set, [[maybe_unused]] const long long* sizes, unsigned long long seed,\n"
                    "                 void* const* parts) {\n";
  for (std::size_t i = 0; i < spec.data.size(); ++i)
    if (spec.data[i].gen == "code")
      out += "  if (set == " + std::to_string(i) + ") " + call(spec, spec.data[i]) + "\n";
  return out + "}\n\n}  // namespace noctune\n";
}

}  // namespace noctune
