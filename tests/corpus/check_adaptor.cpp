#include "corpus/check_adaptor.hpp"

#include <regex>

#include "base/error.hpp"
#include "base/files.hpp"
#include "mep/glue.hpp"

namespace noctune {
namespace {

// call.add() for what `now` is; `was` is its value before the call, itself an expression.
std::string added(const ParamSpec& param, const std::string& name, const std::string& now,
                  const std::string& was) {
  std::string out;
  if (!param.is_struct_value()) out = "    call.add(\"" + name + "\", " + now + ", " + was + ");\n";
  if (!param.is_struct_value() && !param.is_single_struct()) return out;
  const std::string dot = param.is_struct_value() ? "." : "->";
  for (const ParamSpec& field : param.fields)
    out += added(field, name + "." + field.name, now + dot + field.name,
                 field.value ? "nullptr" : was + dot + field.name);
  return out;
}

// A struct is what before[] points to; so is one behind a pointer.
std::string added(const ParamSpec& param, std::size_t index) {
  const std::string before = "before[" + std::to_string(index) + "]";
  if (param.fields.empty()) return added(param, param.name, param.name, before);
  const std::string was =
      "static_cast<const std::remove_cv_t<std::remove_pointer_t<std::remove_reference_t<decltype(" +
      param.name + ")>>>*>(" + before + ")";
  return added(param, param.name, param.name, param.is_struct_value() ? "(*" + was + ")" : was);
}

// One file of two: without what it includes, which stands in front of it.
std::string body_of(const std::string& text) {
  static const std::regex include("#include +\"corpus/reference.hpp\"|#pragma once");
  return std::regex_replace(text, include, "");
}

}  // namespace

std::string check_by_reference(const MepSpec& spec, const std::string& reference) {
  const std::string list = parameter_list(spec, true, Which::without_scratch);
  std::string adds;
  for (std::size_t i = 0; i < spec.params.size(); ++i) adds += added(spec.params[i], i);
  const std::string header = value_or_throw(read_file(NOCTUNE_SOURCE_DIR "/tests/corpus/reference.hpp"));
  return body_of(header) + body_of(reference) + "\nextern \"C\" int " + spec.entry + "_check(" + list +
         (list.empty() ? "" : ", ") +
         "const void* const* before, char* why, std::size_t room) {\n  try {\n    corpus::Call call;\n" +
         adds +
         "    const std::string broken = corpus::reference(call);\n"
         "    if (broken.empty()) return 0;\n"
         "    std::snprintf(why, room, \"%s\", broken.c_str());\n"
         "  } catch (const std::exception& problem) {\n"
         "    std::snprintf(why, room, \"the reference cannot judge: %s\", problem.what());\n"
         "  }\n  return 1;\n}\n";
}

}  // namespace noctune
