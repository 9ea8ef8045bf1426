// Reading goes top down: sizes, data, params, cases; each part may use the names of those before it.
#include "model/mep_spec_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "model/element_type.hpp"
#include "model/expression.hpp"
#include "model/mep_default_cases.hpp"

namespace noctune {
namespace {

constexpr std::array<const char*, 9> init_names = {"zeros", "constant",    "uniform", "normal", "integers",
                                                   "index", "permutation", "sorted",  "joint"};
constexpr std::array<const char*, 4> role_names = {"in", "out", "inout", "scratch"};
constexpr std::array<const char*, 3> use_names = {"time", "check", "report"};

template <class Names>
std::string listed(const Names& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

template <class Enum, std::size_t n>
Enum read_enum(StrictReader& reader, const std::string& key, const std::array<const char*, n>& names, Enum fallback) {
  const std::string word = reader.text(key, names[static_cast<std::size_t>(fallback)]);
  for (std::size_t i = 0; i < n; ++i)
    if (word == names[i]) return static_cast<Enum>(i);
  const std::string near = closest(word, {names.begin(), names.end()});
  reader.complain(key, "\"" + word + "\" is not known",
                  near.empty() ? "known: " + listed(names) : "did you mean \"" + near + "\"?");
}

bool is_identifier(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

void need_identifier(StrictReader& reader, const std::string& key, const std::string& text) {
  if (!is_identifier(text)) reader.complain(key, "\"" + text + "\" is not a C identifier");
}

// A number, or an expression over the given names; as text.
std::string read_expression(StrictReader& reader, const std::string& key, const std::set<std::string>& names) {
  const OrderedJson& value = reader.raw(key);
  if (value.is_number()) return value.dump();
  if (!value.is_string()) reader.complain(key, "expected a number or an expression such as \"n*n\"");
  const std::string text = value.get<std::string>();
  const auto used = names_in(text);
  if (!used) reader.complain(key, used.error().problem + ": " + used.error().reason, used.error().hint);
  for (const std::string& name : *used) {
    if (names.count(name)) continue;
    const std::string near = closest(name, {names.begin(), names.end()});
    reader.complain(key, "\"" + name + "\" is not a size or a derived count",
                    !near.empty() ? "did you mean \"" + near + "\"?"
                                  : names.empty() ? "the spec declares none" : "known: " + listed(names));
  }
  return text;
}

std::string optional_expression(StrictReader& reader, const std::string& key, const std::set<std::string>& names,
                                const std::string& fallback) {
  return reader.has(key) ? read_expression(reader, key, names) : fallback;
}

void refuse_later_keys(const StrictReader& reader) {
  for (const char* key : {"globals", "template", "sequence", "reset", "structs"})
    if (reader.has(key))
      reader.complain(key, "is not supported yet for the openmp backend",
                      "write what it says into the source: the entry may hold loops, tables and instances itself");
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
    if (size.power_of_two && (size.value & (size.value - 1)) != 0) reader.complain("default", "is not a power of two");
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

// ---- data

DataSpec read_data_item(StrictReader reader, const std::string& name, const std::set<std::string>& sizes) {
  DataSpec data;
  data.name = name;
  data.gen = reader.text("gen");
  if (data.gen != "csr")
    reader.complain("gen", "the generator \"" + data.gen + "\" is not supported yet", "known: csr");
  for (const char* key : {"rows", "cols", "nnz_min", "nnz_max"}) data.fields[key] = read_expression(reader, key, sizes);
  for (const char* key : {"low", "high"})
    if (reader.has(key)) data.fields[key] = read_expression(reader, key, sizes);
  reader.finish();
  return data;
}

std::vector<DataSpec> read_data(StrictReader reader, const std::set<std::string>& sizes) {
  std::vector<DataSpec> data;
  for (const std::string& name : reader.keys()) {
    need_identifier(reader, name, name);
    data.push_back(read_data_item(reader.object(name), name, sizes));
    reader.raw(name);
  }
  return data;
}

// ---- params

struct IntegerRange {
  double low, high;
};

IntegerRange range_of(ElementType type) {
  const double bits = 8.0 * static_cast<double>(size_of(type));
  switch (type) {
    case ElementType::boolean:
      return {0, 1};
    case ElementType::u8:
    case ElementType::u16:
    case ElementType::u32:
      return {0, std::ldexp(1, static_cast<int>(bits)) - 1};
    case ElementType::u64:
      return {0, 0x1p53};
    case ElementType::i64:
      return {-0x1p53, 0x1p53};
    default:
      return {-std::ldexp(1, static_cast<int>(bits) - 1), std::ldexp(1, static_cast<int>(bits) - 1) - 1};
  }
}

double read_value(StrictReader& reader, const std::string& key, double fallback, ElementType type) {
  const double value = reader.number(key, fallback);
  if (is_floating(type) || !reader.has(key)) return value;
  const IntegerRange range = range_of(type);
  if (value != std::floor(value)) reader.complain(key, "must be a whole number for this element type");
  if (value < range.low || value > range.high) reader.complain(key, "does not fit the element type");
  return value;
}

void read_init_fields(StrictReader& reader, InitSpec& init, ElementType type) {
  using Kind = InitSpec::Kind;
  if (init.kind == Kind::uniform || init.kind == Kind::integers || init.kind == Kind::sorted) {
    init.low = read_value(reader, "low", init.low, type);
    init.high = read_value(reader, "high", init.high, type);
    if (init.high < init.low) reader.complain(reader.has("high") ? "high" : "low", "high is below low");
    if (init.kind == Kind::integers && (init.low != std::floor(init.low) || init.high != std::floor(init.high)))
      reader.complain("low", "low and high must be whole numbers");
  }
  if (init.kind == Kind::normal) {
    init.mean = reader.number("mean", init.mean);
    init.sd = reader.number("sd", init.sd);
    if (!(init.sd >= 0)) reader.complain("sd", "must not be negative");
  }
  if (init.kind == Kind::constant) init.value = read_value(reader, "value", reader.has("value") ? 0 : 1, type);
  if (init.kind == Kind::index) {
    init.value = read_value(reader, "value", 0, type);
    init.step = read_value(reader, "step", 1, type);
  }
}

// The range where the spec gives none: floats -1 to 1; integers 0 to 9, bytes 0 to 255, bool 0 to 1.
InitSpec plain_init(InitSpec::Kind kind, ElementType type) {
  InitSpec init;
  init.kind = kind;
  if (!is_floating(type)) {
    init.low = 0;
    init.high = type == ElementType::boolean ? 1 : type == ElementType::u8 ? 255 : 9;
  }
  return init;
}

InitSpec joint_init(StrictReader& reader, const std::string& part, const std::vector<DataSpec>& data,
                    ElementType type) {
  const auto dot = part.find('.');
  const std::string name = part.substr(0, dot), field = dot == std::string::npos ? "" : part.substr(dot + 1);
  const auto known = std::find_if(data.begin(), data.end(), [&](const DataSpec& d) { return d.name == name; });
  if (known == data.end())
    reader.complain("init", "\"" + part + "\" is neither a kind nor a part of the spec's data",
                    "kinds: " + listed(init_names) + "; parts of a csr: A.row_ptr, A.col, A.val");
  if (field != "row_ptr" && field != "col" && field != "val")
    reader.complain("init", "the csr \"" + name + "\" has no part \"" + field + "\"", "parts: row_ptr, col, val");
  if (field != "val" && (is_floating(type) || type == ElementType::boolean))
    reader.complain("init", "\"" + part + "\" needs integer elements");
  InitSpec init;
  init.kind = InitSpec::Kind::joint;
  init.part = part;
  return init;
}

InitSpec::Kind kind_named(StrictReader& reader, const std::string& key, const std::string& word) {
  for (std::size_t i = 0; i + 1 < init_names.size(); ++i)
    if (word == init_names[i]) return static_cast<InitSpec::Kind>(i);
  reader.complain(key, "\"" + word + "\" is not a kind of contents", "kinds: " + listed(init_names));
}

void check_kind(StrictReader& reader, InitSpec::Kind kind, ElementType type) {
  if (kind == InitSpec::Kind::normal && !is_floating(type))
    reader.complain("init", "normal needs floating-point elements", "use integers with low and high");
  if (kind == InitSpec::Kind::permutation && components(type) == 2)
    reader.complain("init", "permutation needs real elements");
}

InitSpec read_init(StrictReader& reader, const std::vector<DataSpec>& data, ElementType type) {
  const OrderedJson& value = reader.raw("init");
  if (value.is_object()) {
    StrictReader inner = reader.object("init");
    InitSpec init = plain_init(kind_named(inner, "kind", inner.text("kind")), type);
    check_kind(reader, init.kind, type);
    read_init_fields(inner, init, type);
    inner.finish();
    return init;
  }
  if (value.is_number()) {
    InitSpec init = plain_init(InitSpec::Kind::constant, type);
    init.value = read_value(reader, "init", 0, type);
    return init;
  }
  const std::string word = reader.text("init");
  const bool is_kind = std::find(init_names.begin(), init_names.end() - 1, word) != init_names.end() - 1;
  if (!is_kind) return joint_init(reader, word, data, type);
  InitSpec init = plain_init(kind_named(reader, "init", word), type);
  check_kind(reader, init.kind, type);
  if (init.kind == InitSpec::Kind::constant) init.value = 1;
  return init;
}

ElementType read_type(StrictReader& reader, ParamSpec& param, const std::map<std::string, std::string>& defines) {
  param.type = reader.text("type");
  const auto stars = std::count(param.type.begin(), param.type.end(), '*');
  if (stars > 1 || param.type.find_first_of("&[(") != std::string::npos)
    reader.complain("type", "\"" + param.type + "\" is not supported yet", "values and plain pointers are");
  const std::optional<ElementType> element = element_of(param.type, defines);
  if (!element)
    reader.complain("type", "the element type of \"" + param.type + "\" is not known",
                    "known: C++'s built-in numbers, <cstdint>'s names, std::complex, or a name that defines maps to one");
  const bool by_value = reader.has("value");
  if (by_value && stars == 1) reader.complain("value", "a pointer has count and role, not value");
  if (!by_value && stars == 0)
    reader.complain("type", "\"" + param.type + "\" is passed by value but has no value", "add \"value\": \"n\"");
  if (by_value && components(*element) == 2) reader.complain("type", "complex numbers by value are not supported yet");
  return *element;
}

void read_buffer(StrictReader& reader, ParamSpec& param, ElementType element, const MepSpec& spec,
                 const std::set<std::string>& names) {
  param.count = read_expression(reader, "count", names);
  if (param.count[0] == '-') reader.complain("count", "must not be negative");
  if (!reader.has("role")) reader.complain("role", "is missing", "known: " + listed(role_names));
  param.role = read_enum(reader, "role", role_names, Role::in);
  param.live_out = reader.boolean("live_out", true);
  if (reader.has("unwritten") && reader.text("unwritten") != "keep") reader.complain("unwritten", "only \"keep\" is known");
  param.keep_unwritten = reader.has("unwritten");
  if (!reader.has("init")) return;
  if (param.role == Role::out || param.role == Role::scratch)
    reader.complain("init", std::string("contents of role ") + to_text(param.role) + " are overwritten before each call",
                    "use the role inout where the entry reads them");
  param.init = read_init(reader, spec.data, element);
}

ParamSpec read_param(StrictReader& reader, const MepSpec& spec, const std::set<std::string>& names) {
  ParamSpec param;
  param.name = reader.text("name");
  need_identifier(reader, "name", param.name);
  const ElementType element = read_type(reader, param, spec.defines);
  if (reader.has("value")) {
    param.value = read_expression(reader, "value", names);
  } else {
    read_buffer(reader, param, element, spec, names);
  }
  reader.finish();
  return param;
}

std::vector<ParamSpec> read_params(StrictReader& reader, const MepSpec& spec, const std::set<std::string>& names) {
  std::vector<ParamSpec> params;
  std::set<std::string> seen;
  bool compared = false;
  if (!reader.has("params")) reader.complain("params", "is missing");
  for (StrictReader& item : reader.objects("params")) {
    params.push_back(read_param(item, spec, names));
    const ParamSpec& param = params.back();
    if (!seen.insert(param.name).second)
      item.complain("name", "the parameter \"" + param.name + "\" appears twice");
    compared = compared || (param.is_pointer() && param.live_out && (param.role == Role::out || param.role == Role::inout));
  }
  if (!compared)
    reader.complain("params", "no parameter is an output, so nothing could be checked",
                    "give one the role out or inout, without live_out: false");
  return params;
}

// ---- cases

void check_case_size(StrictReader& sizes, const std::string& name, const MepSpec& spec, const std::string& text) {
  const auto size = std::find_if(spec.sizes.begin(), spec.sizes.end(), [&](const SizeSpec& s) { return s.name == name; });
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
  if (!(chosen.weight >= 0 && std::isfinite(chosen.weight))) reader.complain("weight", "must not be negative");
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
      reader.complain("sizes", "the size \"" + size.name + "\" has no default, does not scale and is not given here");
  reader.finish();
  return chosen;
}

std::vector<CaseSpec> read_cases(StrictReader& reader, const MepSpec& spec, const std::set<std::string>& size_names) {
  if (!reader.has("cases")) {
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

CheckSpec read_check(StrictReader reader, const std::set<std::string>& names) {
  CheckSpec check;
  for (const char* key : {"code", "invariants", "min_signal"})
    if (reader.has(key)) reader.complain(key, "is not supported yet for the openmp backend");
  check.depth = optional_expression(reader, "depth", names, "1");
  if (reader.has("tolerance")) {
    check.tolerance = reader.number("tolerance");
    if (!(*check.tolerance >= 0 && *check.tolerance < 1)) reader.complain("tolerance", "must be at least 0 and below 1");
    if (!reader.has("reason"))
      reader.complain("tolerance", "needs a reason, which is stored with the results", "add \"reason\": \"...\"");
  }
  check.tolerance_reason = reader.text("reason", "");
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
    defines[name] = value.is_string() ? value.get<std::string>() : value.is_boolean() ? (value.get<bool>() ? "1" : "0")
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
  spec.entry = reader.text("entry");
  need_identifier(reader, "entry", spec.entry);
  spec.scope = reader.text("scope", "kernel");
  if (spec.scope != "kernel" && spec.scope != "region") reader.complain("scope", "must be \"kernel\" or \"region\"");
  spec.scratch = reader.boolean("scratch", false);
  spec.setup = reader.boolean("setup", false);
  spec.defines = read_defines(reader.object("defines"));
}

// ---- writing

OrderedJson scalar(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && (text[0] != '0' || text.size() == 1)) return std::stoll(text);
  return text;
}

OrderedJson size_json(const SizeSpec& size) {
  const SizeSpec plain;
  const bool number = size.fixed && size.min == plain.min && size.max == plain.max && size.multiple_of == 1 && !size.power_of_two;
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
  if (init.kind == Kind::uniform || init.kind == Kind::integers || init.kind == Kind::sorted) {
    out["low"] = init.low;
    out["high"] = init.high;
  }
  if (init.kind == Kind::normal) {
    out["mean"] = init.mean;
    out["sd"] = init.sd;
  }
  if (init.kind == Kind::constant || init.kind == Kind::index) out["value"] = init.value;
  if (init.kind == Kind::index) out["step"] = init.step;
  return out.size() == 1 ? OrderedJson(to_text(init.kind)) : out;
}

OrderedJson param_json(const ParamSpec& param) {
  OrderedJson out;
  out["name"] = param.name;
  out["type"] = param.type;
  if (param.value) {
    out["value"] = scalar(*param.value);
    return out;
  }
  out["count"] = scalar(param.count);
  out["role"] = to_text(param.role);
  if (param.init) out["init"] = init_json(*param.init);
  if (!param.live_out) out["live_out"] = false;
  if (param.keep_unwritten) out["unwritten"] = "keep";
  return out;
}

OrderedJson case_json(const CaseSpec& chosen) {
  OrderedJson out;
  out["name"] = chosen.name;
  out["sizes"] = OrderedJson::object();
  for (const auto& [name, text] : chosen.sizes) out["sizes"][name] = scalar(text);
  out["use"] = to_text(chosen.use);
  out["weight"] = chosen.weight;
  return out;
}

OrderedJson check_json(const CheckSpec& check) {
  OrderedJson out;
  out["depth"] = scalar(check.depth);
  if (check.tolerance) out["tolerance"] = *check.tolerance;
  if (!check.tolerance_reason.empty()) out["reason"] = check.tolerance_reason;
  return out;
}

}  // namespace

const char* to_text(Role role) { return role_names[static_cast<std::size_t>(role)]; }
const char* to_text(CaseUse use) { return use_names[static_cast<std::size_t>(use)]; }
const char* to_text(InitSpec::Kind kind) { return init_names[static_cast<std::size_t>(kind)]; }

MepSpec read_mep_spec(const JsonDocument& document) {
  StrictReader reader(document, "");
  refuse_later_keys(reader);
  MepSpec spec;
  read_head(reader, spec);
  spec.sizes = read_sizes(reader.object("sizes"));
  const std::set<std::string> size_names = names_of(spec.sizes);
  spec.data = read_data(reader.object("data"), size_names);
  std::set<std::string> names = size_names;
  for (const DataSpec& data : spec.data)
    for (const char* count : {".rows", ".cols", ".nnz"}) names.insert(data.name + count);
  spec.params = read_params(reader, spec, names);
  spec.cases = read_cases(reader, spec, size_names);
  spec.check = read_check(reader.object("check"), names);
  spec.flops = optional_expression(reader, "flops", names, "");
  spec.bytes = optional_expression(reader, "bytes", names, "");
  reader.finish();
  return spec;
}

OrderedJson to_json(const MepSpec& spec) {
  OrderedJson out;
  out["spec_version"] = spec.spec_version;
  out["entry"] = spec.entry;
  out["scope"] = spec.scope;
  out["sizes"] = OrderedJson::object();
  for (const SizeSpec& size : spec.sizes) out["sizes"][size.name] = size_json(size);
  for (const DataSpec& data : spec.data) {
    out["data"][data.name]["gen"] = data.gen;
    for (const auto& [key, text] : data.fields) out["data"][data.name][key] = scalar(text);
  }
  out["params"] = OrderedJson::array();
  for (const ParamSpec& param : spec.params) out["params"].push_back(param_json(param));
  out["cases"] = OrderedJson::array();
  for (const CaseSpec& chosen : spec.cases) out["cases"].push_back(case_json(chosen));
  for (const auto& [name, text] : spec.defines) out["defines"][name] = text;
  out["check"] = check_json(spec.check);
  if (spec.scratch) out["scratch"] = true;
  if (spec.setup) out["setup"] = true;
  if (!spec.flops.empty()) out["flops"] = scalar(spec.flops);
  if (!spec.bytes.empty()) out["bytes"] = scalar(spec.bytes);
  return out;
}

}  // namespace noctune
