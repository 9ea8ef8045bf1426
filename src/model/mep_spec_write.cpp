// A spec as JSON. Defaults that were filled in while reading are written out, so that reading it again
// changes nothing.
#include "model/mep_globals.hpp"
#include "model/mep_spec_json.hpp"
#include "model/mep_spec_words_json.hpp"

namespace noctune {
namespace {

OrderedJson size_json(const SizeSpec& size) {
  const SizeSpec plain;
  const bool number = size.fixed && size.min == plain.min && size.max == plain.max && size.multiple_of == 1 &&
                      !size.power_of_two;
  if (number && size.value > 0) return size.value;
  OrderedJson out = OrderedJson::object();
  if (size.value > 0) out["default"] = size.value;
  out["min"] = size.min;
  if (size.max != plain.max) out["max"] = size.max;
  if (size.multiple_of != 1) out["multiple_of"] = size.multiple_of;
  if (size.power_of_two) out["power_of_two"] = true;
  if (size.scale) out["scale"] = true;
  if (size.fixed) out["fixed"] = true;
  return out;
}

OrderedJson init_json(const InitSpec& init) {
  using Kind = InitSpec::Kind;
  if (init.kind == Kind::joint) return init.part;
  OrderedJson out;
  out["kind"] = to_text(init.kind);
  if (init.kind == Kind::uniform || init.kind == Kind::integers || init.kind == Kind::sorted ||
      init.kind == Kind::unique) {
    out["low"] = init.low;
    out["high"] = init.high;
  }
  if (init.kind == Kind::normal) {
    out["mean"] = init.mean;
    out["sd"] = init.sd;
  }
  if (init.kind == Kind::constant || init.kind == Kind::index) out["value"] = init.value;
  if (init.kind == Kind::index) out["step"] = init.step;
  for (const auto& [key, text] : init.expressions) out[key] = text;
  return out.size() == 1 ? OrderedJson(to_text(init.kind)) : out;
}

OrderedJson part_json(const DataPart& part) {
  OrderedJson out;
  out["type"] = part.type;
  if (!part.count.empty()) out["count"] = scalar_json(part.count);
  if (!part.file.empty()) out["file"] = part.file;
  return out;
}

OrderedJson fields_json(const std::vector<ParamSpec>& fields);

// What follows the name, alike for parameters, symbols and members.
void add_rest(const ParamSpec& param, OrderedJson& out) {
  out["type"] = param.type;
  if (param.value) out["value"] = scalar_json(*param.value);
  if (!param.count.empty()) {
    out["count"] = scalar_json(param.count);
    out["role"] = to_text(param.role);
  }
  if (param.init) out["init"] = init_json(*param.init);
  if (!param.live_out) out["live_out"] = false;
  if (param.keep_unwritten) out["unwritten"] = "keep";
  if (param.by_invariants) out["compare"] = "invariants";
  if (!param.fields.empty()) out["fields"] = fields_json(param.fields);
}

OrderedJson fields_json(const std::vector<ParamSpec>& fields) {
  OrderedJson out = OrderedJson::object();
  for (const ParamSpec& field : fields) add_rest(field, out[field.name]);
  return out;
}

OrderedJson param_json(const ParamSpec& param, const char* name_key) {
  OrderedJson out;
  out[name_key] = param.name;
  add_rest(param, out);
  return out;
}

OrderedJson case_json(const CaseSpec& chosen) {
  OrderedJson out;
  out["name"] = chosen.name;
  out["sizes"] = OrderedJson::object();
  for (const auto& [name, text] : chosen.sizes) out["sizes"][name] = scalar_json(text);
  out["use"] = to_text(chosen.use);
  out["weight"] = chosen.weight;
  return out;
}

OrderedJson check_json(const CheckSpec& check) {
  OrderedJson out;
  out["depth"] = scalar_json(check.depth);
  if (check.tolerance) out["tolerance"] = *check.tolerance;
  if (!check.tolerance_reason.empty()) out["reason"] = check.tolerance_reason;
  if (!check.invariants.empty()) out["invariants"] = check.invariants;
  return out;
}

}  // namespace

OrderedJson scalar_json(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && (text[0] != '0' || text.size() == 1)) return std::stoll(text);
  return text;
}

const char* to_text(Role role) {
  return role_names[static_cast<std::size_t>(role)];
}
const char* to_text(CaseUse use) {
  return use_names[static_cast<std::size_t>(use)];
}
const char* to_text(InitSpec::Kind kind) {
  return init_names[static_cast<std::size_t>(kind)];
}

OrderedJson to_json(const MepSpec& spec) {
  OrderedJson out;
  out["spec_version"] = spec.spec_version;
  if (spec.backend != MepSpec().backend) out["backend"] = spec.backend;
  out["entry"] = spec.entry;
  out["scope"] = spec.scope;
  out["sizes"] = OrderedJson::object();
  for (const SizeSpec& size : spec.sizes) out["sizes"][size.name] = size_json(size);
  for (const DataSpec& data : spec.data) {
    out["data"][data.name]["gen"] = data.gen;
    for (const auto& [key, text] : data.fields) out["data"][data.name][key] = scalar_json(text);
    for (const DataPart& part : data.parts) out["data"][data.name]["parts"][part.name] = part_json(part);
  }
  out["params"] = OrderedJson::array();
  for (const ParamSpec& param : spec.params)
    if (!is_global(spec, param.name)) out["params"].push_back(param_json(param, "name"));
  for (const ParamSpec& symbol : spec.globals) out["globals"].push_back(param_json(symbol, "symbol"));
  if (!spec.template_args.empty()) out["template"] = spec.template_args;
  if (!spec.sequence.empty()) out["sequence"] = to_json(spec.sequence);
  out["cases"] = OrderedJson::array();
  for (const CaseSpec& chosen : spec.cases) out["cases"].push_back(case_json(chosen));
  for (const auto& [name, text] : spec.defines) out["defines"][name] = text;
  out["check"] = check_json(spec.check);
  if (spec.scratch) out["scratch"] = true;
  if (spec.setup) out["setup"] = true;
  if (!spec.flops.empty()) out["flops"] = scalar_json(spec.flops);
  if (!spec.bytes.empty()) out["bytes"] = scalar_json(spec.bytes);
  return out;
}

}  // namespace noctune
