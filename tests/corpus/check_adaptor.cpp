#include "corpus/check_adaptor.hpp"

#include <regex>

#include "base/error.hpp"
#include "base/files.hpp"

namespace noctune {
namespace {

// "float (*A)[N]" for a pointer to arrays, "float* a" for all else.
std::string declared(const ParamSpec& param) {
  const std::size_t star = param.type.find("(*)");
  if (star == std::string::npos) return param.type + " " + param.name;
  return param.type.substr(0, star + 2) + param.name + param.type.substr(star + 2);
}

// call.add() for what `now` is; `was` is its value before the call, itself an expression.
std::string added(const ParamSpec& param, const std::string& name, const std::string& now,
                  const std::string& was) {
  if (!param.is_struct_value()) return "    call.add(\"" + name + "\", " + now + ", " + was + ");\n";
  std::string out;
  for (const ParamSpec& field : param.fields)
    out += added(field, name + "." + field.name, now + "." + field.name,
                 field.is_pointer() || field.is_struct_value() ? was + "." + field.name : "nullptr");
  return out;
}

std::string added(const ParamSpec& param, std::size_t index) {
  const std::string before = "before[" + std::to_string(index) + "]";
  if (!param.is_struct_value()) return added(param, param.name, param.name, before);
  const std::string was =
      "static_cast<const std::remove_reference_t<decltype(" + param.name + ")>*>(" + before + ")";
  return added(param, param.name, param.name, "(*" + was + ")");
}

// Without what it includes, which stands in front of it.
std::string body_of(const std::string& text) {
  static const std::regex include("#include +\"corpus/reference.hpp\"");
  return std::regex_replace(text, include, "");
}

}  // namespace

std::string check_by_reference(const MepSpec& spec, const std::string& reference) {
  std::string list, adds;
  for (std::size_t i = 0; i < spec.params.size(); ++i) {
    list += declared(spec.params[i]) + ", ";
    adds += added(spec.params[i], i);
  }
  return value_or_throw(read_file(NOCTUNE_SOURCE_DIR "/tests/corpus/reference.hpp")) + body_of(reference) +
         "\nextern \"C\" int " + spec.entry + "_check(" + list +
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
