#include "corpus/check_adaptor.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "base/error.hpp"
#include "base/files.hpp"
#include "mep/glue.hpp"
#include "model/expression.hpp"
#include "places.hpp"

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

const ParamSpec* find(const MepSpec& spec, const std::string& name) {
  for (const ParamSpec& param : spec.params)
    if (param.name == name) return &param;
  return nullptr;
}

// "n*n": loop variables are known inside the entry alone.
bool is_of_parameters(const MepSpec& spec, const std::string& expression) {
  const Result<std::vector<std::string>> names = names_in(expression);
  return names && std::all_of(names->begin(), names->end(), [&](const std::string& name) {
           return find(spec, name) || spec.defines.count(name) > 0;
         });
}

// References use the kernels' own names, where an entry may have its call site's: what a launch hands over is
// known by both.
void add_formals(const MepSpec& spec, const std::vector<StepSpec>& steps, const SourceFacts& facts,
                 std::set<std::string>& known, std::string& out) {
  static const std::regex number("-?[0-9.]+(e[-+]?[0-9]+)?[fFuUlL]*");
  for (const StepSpec& step : steps) {
    add_formals(spec, step.steps, facts, known, out);
    const SourceFunction* function = facts.function(step.name.substr(0, step.name.find('<')));
    if (step.kind != StepSpec::Kind::launch || !function) continue;
    for (std::size_t i = 0; i < std::min(step.args.size(), function->params.size()); ++i) {
      const std::string &formal = function->params[i].name, &given = step.args[i];
      const ParamSpec* param = find(spec, given);
      const bool computed = std::regex_match(given, number) || is_of_parameters(spec, given);
      if ((!param && !computed) || !known.insert(formal).second) continue;
      const std::string before =
          param ? "before[" + std::to_string(param - spec.params.data()) + "]" : "nullptr";
      out += "    call.add(\"" + formal + "\", " + given + ", " + before + ");\n";
    }
  }
}

// One file of two: without what it includes, which stands in front of it.
std::string body_of(const std::string& text) {
  static const std::regex include("#include +\"corpus/reference.hpp\"|#pragma once");
  return std::regex_replace(text, include, "");
}

}  // namespace

std::string check_by_reference(const MepSpec& spec, const std::string& reference, const SourceFacts& facts) {
  const std::string list = parameter_list(spec, true, Which::without_scratch);
  std::string adds;
  for (std::size_t i = 0; i < spec.params.size(); ++i) adds += added(spec.params[i], i);
  std::set<std::string> known;
  for (const ParamSpec& param : spec.params) known.insert(param.name);
  add_formals(spec, spec.sequence, facts, known, adds);
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
