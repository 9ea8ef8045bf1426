#include "mep/completion/template_instance.hpp"

#include "mep/completion/c_expression.hpp"
#include "mep/completion/spec_text.hpp"
#include "mep/completion/text_words.hpp"

namespace noctune {
namespace {

bool is_type_parameter(const TemplateParam& param) {
  return param.kind == "typename" || param.kind == "class";
}

// Whole numbers as template parameters: blocks and tiles by name, else a small power of two.
std::string number_for(const std::string& name) {
  const std::string lower = in_lower_case(name);
  const auto has = [&](const char* part) { return lower.find(part) != std::string::npos; };
  if (has("block") || has("thread") || lower == "bs" || lower == "nt") return "256";
  if (has("tile")) return "16";
  if (has("warp")) return "32";
  if (has("dim") || has("rad") || has("order")) return "3";
  if (has("unroll") || has("items") || has("per")) return "4";
  return "8";
}

std::string chosen_for(const TemplateParam& param) {
  if (!param.default_value.empty()) return param.default_value;
  if (is_type_parameter(param)) return "double";
  return param.kind == "bool" ? "true" : number_for(param.name);
}

// A kernel's argument is a pointer to T, so T follows from what the host declares; texts do not tell more.
bool deducible(const SourceFunction& function, const std::string& name) {
  for (const SourceParam& param : function.params)
    if (holds_word(param.type, name)) return true;
  return false;
}

}  // namespace

void choose_templates(const SourceFacts& facts, const SourceLaunch* launch, KernelUse& use,
                      std::vector<std::string>& assumed) {
  (void)facts;
  const SourceFunction& function = *use.function;
  std::vector<std::string> given;
  if (launch != nullptr && !launch->templates.empty()) given = split_outside_brackets(launch->templates, ",");
  for (std::size_t i = 0; i < function.templates.size(); ++i) {
    const TemplateParam& param = function.templates[i];
    std::string& value = use.templates[param.name];
    if (i < given.size()) {
      value = trimmed(given[i]);
      // A host's own template parameter says nothing here.
      if (!(is_identifier(value) && value.size() == 1)) continue;
    }
    value = chosen_for(param);
    if (param.default_value.empty())
      assumed.push_back("template " + function.name + ": " + param.name + " is taken as " + value +
                        (deducible(function, param.name) ? "" : ", since no call shows it"));
  }
}

std::string instance_of(const std::string& type, const KernelUse& use) {
  return with_names(type, use.templates);
}

std::string instance_name(const KernelUse& use) {
  std::string arguments;
  for (const TemplateParam& param : use.function->templates)
    arguments += (arguments.empty() ? "" : ", ") + use.templates.at(param.name);
  const std::string& name = use.function->name;
  return arguments.empty() ? name : name + "<" + arguments + ">";
}

}  // namespace noctune
