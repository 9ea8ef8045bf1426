// The parameters of a spec, the members of structs and the symbols at file scope: types, values, counts and
// roles. All three are read alike; what differs is which keys make sense where.
#include <algorithm>

#include "model/c_type.hpp"
#include "model/mep_spec_json.hpp"
#include "model/mep_spec_words_json.hpp"

namespace noctune {
namespace {

enum class Comparing { values, invariants };
enum class Place {
  parameter,
  member,  // of a struct by value, or of a single one that holds pointers
  record,  // member of a struct behind a pointer
  symbol
};

struct Reading {
  const MepSpec& spec;
  const std::set<std::string>& names;
  Role role = Role::in;  // of the records that a member lies in
};

void read_fields(StrictReader& reader, ParamSpec& param, Place place, const Reading& reading);

// ---- types

void read_type(StrictReader& reader, ParamSpec& param, Place place) {
  param.type = reader.text("type");
  if (place == Place::parameter) param.type = parameter_type(param.type);
  const bool function =
      param.type.find(")(") != std::string::npos || param.type.find(") (") != std::string::npos;
  if (stars_of(param.type) > 1 || param.type.find('&') != std::string::npos || function)
    reader.complain(
        "type", "\"" + param.type + "\" is not supported yet",
        "values, structs, arrays and pointers to them are: an entry of your own may build the rest");
  if (place == Place::record && is_pointer_type(param.type))
    reader.complain("type", "an array of structs whose members are pointers is not supported yet",
                    "a single struct (\"count\": 1) may hold pointers, each with count and role");
}

ElementForm need_form(StrictReader& reader, const ParamSpec& param, const Reading& reading) {
  const std::optional<ElementForm> form = element_form_of(param.type, reading.spec.defines);
  if (!form)
    reader.complain(
        "type", "the element type of \"" + param.type + "\" is not known",
        "known: C++'s built-in numbers, <cstdint>'s names, CUDA's vector types, std::complex, or a "
        "name that defines maps to one; a struct needs its members in \"fields\"");
  return *form;
}

// ---- contents and roles

void read_init_of(StrictReader& reader, ParamSpec& param, Role role, const Reading& reading) {
  if (!present(reader, "init")) return;
  if (role == Role::out || role == Role::scratch)
    reader.complain("init",
                    std::string("contents of role ") + to_text(role) + " are overwritten before each call",
                    "use the role inout where the entry reads them");
  param.init =
      read_init(reader, {reading.spec.data, reading.names, need_form(reader, param, reading).element});
}

void read_output_words(StrictReader& reader, ParamSpec& param, Role role) {
  param.live_out = reader.boolean("live_out", true);
  if (present(reader, "unwritten") && reader.text("unwritten") != "keep")
    reader.complain("unwritten", "only \"keep\" is known");
  param.keep_unwritten = reader.has("unwritten");
  param.by_invariants =
      read_enum(reader, "compare", compare_names, Comparing::values) == Comparing::invariants;
  const bool output = param.live_out && (role == Role::out || role == Role::inout);
  if (param.by_invariants && !output)
    reader.complain("compare", "\"invariants\" is for outputs, and this parameter is none that anybody reads",
                    "leave it out, or give the parameter the role out or inout without live_out: false");
}

void read_role(StrictReader& reader, ParamSpec& param, bool optional) {
  if (!optional && !reader.has("role")) reader.complain("role", "is missing", "known: " + listed(role_names));
  param.role = read_enum(reader, "role", role_names, Role::in);
}

// ---- shapes

// Like present(), for an object.
bool has_fields(StrictReader& reader) {
  if (reader.has("fields")) return true;
  reader.object("fields");
  return false;
}

// Whether some member is a pointer, before any is read: that decides how all are read.
bool hold_pointers(const OrderedJson& fields) {
  if (!fields.is_object()) return false;
  return std::any_of(fields.begin(), fields.end(), [](const OrderedJson& field) {
    return field.is_object() &&
           (field.contains("count") || (field.contains("fields") && hold_pointers(field.at("fields"))));
  });
}

void read_buffer(StrictReader& reader, ParamSpec& param, const Reading& reading) {
  param.count = read_expression(reader, "count", reading.names);
  if (param.count[0] == '-') reader.complain("count", "must not be negative");
  const bool structs = has_fields(reader);
  const bool single = structs && param.count == "1" && hold_pointers(reader.node().at("fields"));
  read_role(reader, param, single);
  if (single && param.role != Role::in)
    reader.complain("role", "the members of a single struct have roles of their own",
                    "give role out or inout to the pointers in it");
  read_output_words(reader, param, param.role);
  if (!structs) {
    need_form(reader, param, reading);
    return read_init_of(reader, param, param.role, reading);
  }
  if (reader.has("init"))
    reader.complain("init", "the members of a struct have contents of their own", "put it into fields");
  Reading members = reading;
  members.role = param.role;
  read_fields(reader, param, single ? Place::member : Place::record, members);
}

void read_record_member(StrictReader& reader, ParamSpec& param, const Reading& reading) {
  for (const char* key : {"count", "role"})
    if (reader.has(key))
      reader.complain(key, "is that of the array of structs, and no member's own",
                      "members have a type and an init");
  read_output_words(reader, param, reading.role);
  if (has_fields(reader)) return read_fields(reader, param, Place::record, reading);
  need_form(reader, param, reading);
  read_init_of(reader, param, reading.role, reading);
  if (!present(reader, "value")) return;
  if (param.init || reading.role == Role::out || reading.role == Role::scratch)
    reader.complain("value", "is overwritten before each call", "leave it out, or use the role inout");
  param.value = read_expression(reader, "value", reading.names);
}

void read_by_value(StrictReader& reader, ParamSpec& param, Place place, const Reading& reading) {
  if (has_fields(reader)) {
    if (reader.has("value")) reader.complain("value", "the members of a struct have values of their own");
    return read_fields(reader, param, Place::member, reading);
  }
  const ElementForm form = need_form(reader, param, reading);
  if (components(form.element) == 2)
    reader.complain("type", "complex numbers by value are not supported yet");
  const bool array_member = place == Place::member && form.scalars > 1;
  if (array_member) read_init_of(reader, param, Role::in, reading);
  if (array_member && !reader.has("value")) return;
  if (!reader.has("value"))
    reader.complain("type", "\"" + param.type + "\" is passed by value but has no value",
                    "add \"value\": \"n\"");
  param.value = read_expression(reader, "value", reading.names);
}

void read_symbol_array(StrictReader& reader, ParamSpec& param, const Reading& reading) {
  param.count = read_expression(reader, "count", reading.names);
  if (present(reader, "role") && reader.text("role") != "in")
    reader.complain("role", "a symbol is an input: <entry>_setup writes it before the calls",
                    "let the entry take what it writes as a pointer parameter");
  if (has_fields(reader)) return read_fields(reader, param, Place::record, reading);
  need_form(reader, param, reading);
  read_init_of(reader, param, Role::in, reading);
}

void read_rest(StrictReader& reader, ParamSpec& param, Place place, const Reading& reading) {
  read_type(reader, param, place);
  const bool pointer = is_pointer_type(param.type);
  if (pointer && reader.has("value")) reader.complain("value", "a pointer has count and role, not value");
  if (place == Place::record) return read_record_member(reader, param, reading);
  if (pointer) return read_buffer(reader, param, reading);
  if (place == Place::symbol && reader.has("count")) return read_symbol_array(reader, param, reading);
  read_by_value(reader, param, place, reading);
}

// ---- members

// "nx": "cells" stands for an int of that value.
ParamSpec short_member(StrictReader& fields, const std::string& name, Place place, const Reading& reading) {
  ParamSpec member;
  member.name = name;
  member.type = "int";
  member.value = read_expression(fields, name, reading.names);
  if (place == Place::record && (reading.role == Role::out || reading.role == Role::scratch))
    fields.complain(name, "is overwritten before each call",
                    "give {\"type\": \"int\"}, or use the role inout");
  return member;
}

void read_fields(StrictReader& reader, ParamSpec& param, Place place, const Reading& reading) {
  param.fields.clear();
  StrictReader fields = reader.object("fields");
  for (const std::string& name : fields.keys()) {
    need_identifier(fields, name, name);
    if (!fields.node().at(name).is_object()) {
      param.fields.push_back(short_member(fields, name, place, reading));
      continue;
    }
    StrictReader item = fields.object(name);
    ParamSpec member;
    member.name = name;
    read_rest(item, member, place, reading);
    item.finish();
    param.fields.push_back(std::move(member));
  }
  if (param.fields.empty()) reader.complain("fields", "a struct needs at least one member");
}

bool is_output(const ParamSpec& param) {
  if (!param.live_out) return false;
  if (param.is_struct_value() || param.is_single_struct())
    return std::any_of(param.fields.begin(), param.fields.end(), is_output);
  return param.is_pointer() && (param.role == Role::out || param.role == Role::inout);
}

ParamSpec read_one(StrictReader& reader, const char* name_key, Place place, const Reading& reading) {
  ParamSpec param;
  param.name = reader.text(name_key);
  need_identifier(reader, name_key, param.name);
  read_rest(reader, param, place, reading);
  reader.finish();
  return param;
}

}  // namespace

std::vector<ParamSpec> read_params(StrictReader& reader, const MepSpec& spec,
                                   const std::set<std::string>& names) {
  std::vector<ParamSpec> params;
  std::set<std::string> seen;
  bool compared = false;
  if (!reader.has("params")) reader.complain("params", "is missing");
  for (StrictReader& item : reader.objects("params")) {
    params.push_back(read_one(item, "name", Place::parameter, {spec, names}));
    const ParamSpec& param = params.back();
    if (!seen.insert(param.name).second)
      item.complain("name", "the parameter \"" + param.name + "\" appears twice");
    compared = compared || is_output(param);
  }
  if (!compared)
    reader.complain("params", "no parameter is an output, so nothing could be checked",
                    "give one the role out or inout, without live_out: false");
  return params;
}

std::vector<ParamSpec> read_globals(StrictReader& reader, const MepSpec& spec,
                                    const std::set<std::string>& names) {
  std::vector<ParamSpec> symbols;
  std::set<std::string> seen;
  for (const ParamSpec& param : spec.params) seen.insert(param.name);
  for (StrictReader& item : reader.objects("globals")) {
    symbols.push_back(read_one(item, "symbol", Place::symbol, {spec, names}));
    if (!seen.insert(symbols.back().name).second)
      item.complain("symbol", "\"" + symbols.back().name + "\" is a parameter or a symbol already");
  }
  return symbols;
}

}  // namespace noctune
