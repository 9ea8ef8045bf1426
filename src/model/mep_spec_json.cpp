// Reading goes top down: sizes, data, params, cases; each part may use the names of those before it.
#include "model/mep_spec_json.hpp"

#include <algorithm>
#include <cmath>

#include "model/backend.hpp"
#include "model/mep_default_cases.hpp"
#include "model/mep_globals.hpp"
#include "model/mep_spec_words_json.hpp"

namespace noctune {
namespace {

void refuse_other_words(StrictReader& reader) {
  if (reader.has("structs"))
    reader.complain("structs", "is not a key", "give the members of a struct in \"fields\" of its parameter");
  if (present(reader, "reset") && reader.text("reset") != "call")
    reader.complain("reset", "only \"call\" is known: in-place buffers are restored before every call",
                    "leave it out; what the application lets grow from call to call belongs into a sequence");
}

// ---- sizes

SizeSpec read_size_object(StrictReader reader, const std::string& name) {
  SizeSpec size;
  size.name = name;
  size.value = reader.integer("default", 0);
  size.scale = reader.boolean("scale", false);
  size.fixed = reader.boolean("fixed", false);
  size.power_of_two = reader.boolean("power_of_two", false);
  size.multiple_of = reader.integer("multiple_of", 1);
  size.min = reader.integer("min", std::max(1LL, size.multiple_of));
  size.max = reader.integer("max", size.max);
  if (reader.has("default") && size.value < 1) reader.complain("default", "must be at least 1");
  if (size.multiple_of < 1) reader.complain("multiple_of", "must be at least 1");
  if (size.min < 1) reader.complain("min", "must be at least 1");
  if (size.max < size.min) reader.complain(reader.has("max") ? "max" : "min", "max is below min");
  if (size.scale && size.fixed) reader.complain("fixed", "a size cannot be both fixed and scaling");
  if (size.value != 0) {
    if (size.value < size.min || size.value > size.max) reader.complain("default", "lies outside min to max");
    if (size.value % size.multiple_of != 0) reader.complain("default", "is not a multiple of multiple_of");
    if (size.power_of_two && (size.value & (size.value - 1)) != 0)
      reader.complain("default", "is not a power of two");
  }
  reader.finish();
  return size;
}

std::vector<SizeSpec> read_sizes(StrictReader reader) {
  std::vector<SizeSpec> sizes;
  for (const std::string& name : reader.keys()) {
    need_identifier(reader, name, name);
    const OrderedJson& value = reader.raw(name);
    if (value.is_object()) {
      sizes.push_back(read_size_object(reader.object(name), name));
    } else if (value.is_number_integer() && value.get<long long>() >= 1) {
      SizeSpec size;
      size.name = name;
      size.value = value.get<long long>();
      size.fixed = true;
      sizes.push_back(size);
    } else {
      reader.complain(name, "expected a whole number of at least 1, or an object",
                      "for example {\"default\": 1024, \"scale\": true}");
    }
  }
  return sizes;
}

// ---- cases

void check_case_size(StrictReader& sizes, const std::string& name, const MepSpec& spec,
                     const std::string& text) {
  const auto size =
      std::find_if(spec.sizes.begin(), spec.sizes.end(), [&](const SizeSpec& s) { return s.name == name; });
  if (size == spec.sizes.end()) {
    std::vector<std::string> known;
    for (const SizeSpec& s : spec.sizes) known.push_back(s.name);
    const std::string near = closest(name, known);
    sizes.complain(name, "there is no size \"" + name + "\"",
                   near.empty() ? "known: " + listed(known) : "did you mean \"" + near + "\"?");
  }
  if (text == "auto" && !size->scale)
    sizes.complain(name, "\"auto\" needs a size with \"scale\": true, or sizing may not choose it");
}

CaseSpec read_case(StrictReader& reader, const MepSpec& spec, const std::set<std::string>& size_names) {
  CaseSpec chosen;
  chosen.name = reader.text("name");
  if (chosen.name.empty()) reader.complain("name", "must not be empty");
  chosen.use = read_enum(reader, "use", use_names, CaseUse::time);
  chosen.weight = reader.number("weight", 1);
  if (!(chosen.weight >= 0 && std::isfinite(chosen.weight)))
    reader.complain("weight", "must not be negative");
  StrictReader sizes = reader.object("sizes");
  for (const std::string& name : sizes.keys()) {
    const OrderedJson& value = sizes.raw(name);
    const bool open = value.is_string() && value.get<std::string>() == "auto";
    const std::string text = open ? "auto" : read_expression(sizes, name, size_names);
    check_case_size(sizes, name, spec, text);
    chosen.sizes[name] = text;
  }
  for (const SizeSpec& size : spec.sizes)
    if (size.value == 0 && !size.scale && !chosen.sizes.count(size.name))
      reader.complain("sizes",
                      "the size \"" + size.name + "\" has no default, does not scale and is not given here");
  reader.finish();
  return chosen;
}

std::vector<CaseSpec> read_cases(StrictReader& reader, const MepSpec& spec,
                                 const std::set<std::string>& size_names) {
  if (!present(reader, "cases")) {
    for (const SizeSpec& size : spec.sizes)
      if (size.value == 0 && !size.scale)
        reader.complain("sizes", "the size \"" + size.name + "\" has neither a default nor \"scale\": true");
    return default_cases(spec.sizes);
  }
  std::vector<CaseSpec> cases;
  std::set<std::string> seen;
  bool timed = false;
  for (StrictReader& item : reader.objects("cases")) {
    cases.push_back(read_case(item, spec, size_names));
    if (!seen.insert(cases.back().name).second)
      item.complain("name", "the case \"" + cases.back().name + "\" appears twice");
    timed = timed || cases.back().use == CaseUse::time;
  }
  if (!timed) reader.complain("cases", "none is for timing", "leave use out of one, or set it to \"time\"");
  return cases;
}

// ---- the rest

std::string first_by_invariants(const std::vector<ParamSpec>& params) {
  for (const ParamSpec& param : params) {
    if (param.by_invariants) return param.name;
    const std::string field = first_by_invariants(param.fields);
    if (!field.empty()) return param.name + "." + field;
  }
  return {};
}

CheckSpec read_check(StrictReader reader, const std::set<std::string>& names, const std::string& entry,
                     const std::vector<ParamSpec>& params) {
  CheckSpec check;
  for (const char* key : {"code", "min_signal"})
    if (reader.has(key))
      reader.complain(key, "is not a key", "the file of the user's own check is named by \"invariants\"");
  check.depth = optional_expression(reader, "depth", names, "1");
  if (reader.has("tolerance")) {
    check.tolerance = reader.number("tolerance");
    if (!(*check.tolerance >= 0 && *check.tolerance < 1))
      reader.complain("tolerance", "must be at least 0 and below 1");
    if (!reader.has("reason"))
      reader.complain("tolerance", "needs a reason, which is stored with the results",
                      "add \"reason\": \"...\"");
  }
  check.tolerance_reason = reader.text("reason", "");
  check.invariants = reader.text("invariants", "");
  if (reader.has("invariants") && check.invariants.empty())
    reader.complain("invariants", "must name a file", "for example \"check.cpp\", beside the spec");
  const std::string alone = check.invariants.empty() ? first_by_invariants(params) : std::string();
  if (!alone.empty())
    reader.complain("invariants",
                    "is missing, and the parameter \"" + alone + "\" is compared by invariants alone",
                    "name the file that holds " + entry + "_check, or compare the parameter by values");
  reader.finish();
  return check;
}

std::map<std::string, std::string> read_defines(StrictReader reader) {
  std::map<std::string, std::string> defines;
  for (const std::string& name : reader.keys()) {
    need_identifier(reader, name, name);
    const OrderedJson& value = reader.raw(name);
    if (value.is_object() || value.is_array() || value.is_null())
      reader.complain(name, "expected a number, a string or a boolean");
    defines[name] = value.is_string()    ? value.get<std::string>()
                    : value.is_boolean() ? (value.get<bool>() ? "1" : "0")
                                         : value.dump();
    if (defines[name].find('\n') != std::string::npos) reader.complain(name, "must be one line");
  }
  return defines;
}

std::set<std::string> names_of(const std::vector<SizeSpec>& sizes) {
  std::set<std::string> names;
  for (const SizeSpec& size : sizes) names.insert(size.name);
  return names;
}

void read_head(StrictReader& reader, MepSpec& spec) {
  spec.spec_version = static_cast<int>(reader.integer("spec_version", 1));
  if (spec.spec_version != 1)
    reader.complain("spec_version", "this program reads version 1, not " + std::to_string(spec.spec_version));
  spec.backend = reader.text("backend", spec.backend);
  if (spec.backend != "openmp" && !runs_on_gpu(spec.backend))
    reader.complain("backend", "\"" + spec.backend + "\" is not known", "known: openmp, cuda, hip");
  spec.entry = reader.text("entry");
  need_identifier(reader, "entry", spec.entry);
  spec.scope = reader.text("scope", "kernel");
  if (spec.scope != "kernel" && spec.scope != "region")
    reader.complain("scope", "must be \"kernel\" or \"region\"");
  spec.scratch = reader.boolean("scratch", false);
  spec.setup = reader.boolean("setup", false);
  spec.defines = read_defines(reader.object("defines"));
}

}  // namespace

MepSpec read_mep_spec(const JsonDocument& document) {
  StrictReader reader(document, "");
  refuse_other_words(reader);
  MepSpec spec;
  read_head(reader, spec);
  spec.sizes = read_sizes(reader.object("sizes"));
  const std::set<std::string> size_names = names_of(spec.sizes);
  std::set<std::string> names = size_names;
  spec.data = read_data(reader.object("data"), spec.defines, names);
  spec.params = read_params(reader, spec, names);
  spec.globals = read_globals(reader, spec, names);
  lower_globals(spec);
  read_schedule(reader, spec, names);
  spec.cases = read_cases(reader, spec, size_names);
  spec.check = read_check(reader.object("check"), names, spec.entry, spec.params);
  spec.flops = optional_expression(reader, "flops", names, "");
  spec.bytes = optional_expression(reader, "bytes", names, "");
  reader.finish();
  return spec;
}

}  // namespace noctune
