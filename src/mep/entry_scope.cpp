#include "mep/entry_scope.hpp"

#include <algorithm>
#include <cctype>

#include "model/c_type.hpp"
#include "model/element_type.hpp"
#include "model/expression.hpp"

namespace noctune {
namespace {

bool is_fixed(const MepSpec& spec, const SizeSpec& size) {
  return size.fixed && size.value > 0 &&
         std::none_of(spec.cases.begin(), spec.cases.end(),
                      [&](const CaseSpec& one) { return one.sizes.count(size.name) > 0; });
}

bool is_number(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0]));
}

}  // namespace

// By-value parameters as they are; sizes and derived counts by what brings them into the entry.
EntryScope::EntryScope(const MepSpec& spec) : spec_(spec) {
  for (const ParamSpec& param : spec_.params) add_value(param, "");
  for (const SizeSpec& size : spec_.sizes)
    if (is_fixed(spec_, size)) names_.emplace(size.name, std::to_string(size.value));
  for (const auto& define : spec_.defines) names_[define.first] = define.first;
  for (const ParamSpec& param : spec_.params)
    if (param.value) names_[param.name] = param.name;
}

void EntryScope::add_value(const ParamSpec& param, const std::string& prefix) {
  const std::string text = prefix + param.name;
  if (param.is_struct_value())
    for (const ParamSpec& field : param.fields) add_value(field, text + ".");
  if (!param.value) return;
  names_.emplace(*param.value, text);
  if (element_of(param.type, spec_.defines) == ElementType::i32) ints_.insert(text);
}

// A name that is a size and a parameter of another value means two things.
Result<void> EntryScope::unambiguous(const std::string& text) const {
  const auto used = names_in(text);
  if (!used) return Failure(used.error());
  for (const std::string& name : *used)
    for (const SizeSpec& size : spec_.sizes)
      if (const ParamSpec* param = size.name == name ? find(name) : nullptr;
          param && param->value && *param->value != name)
        return fail("expression \"" + text + "\" of the sequence",
                    "\"" + name + "\" is a size and a parameter of another value", "rename the size");
  return {};
}

bool EntryScope::counts_in_ints(const std::string& expression, const EntryNames& names,
                                const std::set<std::string>& loops) const {
  const auto used = names_in(expression);
  return used && std::all_of(used->begin(), used->end(), [&](const std::string& name) {
           const auto known = names.find(name);
           const std::string meant = known == names.end() ? name : known->second;
           return is_number(meant) || ints_.count(meant) > 0 || loops.count(meant) > 0 ||
                  spec_.defines.count(name) > 0;
         });
}

const ParamSpec* EntryScope::find(const std::string& name) const {
  for (const ParamSpec& param : spec_.params)
    if (param.name == name) return &param;
  return nullptr;
}

Result<const ParamSpec*> EntryScope::buffer(const std::string& name, const char* what) const {
  const ParamSpec* param = find(name);
  if (!param || !is_pointer_type(param->type) || param->count.empty())
    return fail(std::string(what) + " of \"" + name + "\"", "that is no buffer among the parameters");
  return param;
}

Result<const ParamSpec*> EntryScope::writable(const std::string& name, const char* what) const {
  Result<const ParamSpec*> param = buffer(name, what);
  if (param && (*param)->type.rfind("const ", 0) == 0)
    return fail(std::string(what) + " of \"" + name + "\"", "it points to what may not be written",
                "take const from its type");
  return param;
}

Result<std::string> EntryScope::expression(const std::string& text, const EntryNames& names) const {
  if (Result<void> good = unambiguous(text); !good) return Failure(good.error());
  return entry_expression(text, names);
}

// Counts may be beyond what an int holds.
Result<std::string> EntryScope::bytes(const ParamSpec& param, const std::string& count,
                                      const EntryNames& names) const {
  EntryNames wide = names;
  for (auto& [name, text] : wide)
    if (!text.empty() && !is_number(text)) text = "static_cast<long long>(" + text + ")";
  const Result<std::string> elements = expression(count.empty() ? param.count : count, wide);
  if (!elements) return Failure(elements.error());
  return "static_cast<std::size_t>(" + *elements + ") * sizeof(*" + param.name + ")";
}

}  // namespace noctune
