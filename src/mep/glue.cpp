// The compiler of the driver lays structs out, so members are set by name, and where those of an array of
// structs lie is asked by offsetof and sizeof.
#include "mep/glue.hpp"

#include <algorithm>

#include "mep/leaves.hpp"
#include "model/backend.hpp"
#include "model/c_type.hpp"
#include "model/element_type.hpp"

namespace noctune {
namespace {

bool takes(const ParamSpec& param, Which which) {
  return which != Which::by_value || !param.is_pointer();
}

bool is_assembled(const ParamSpec& param) {
  return !param.fields.empty() && (param.is_struct_value() || param.is_single_struct());
}

std::string type_name(std::size_t place) {
  return "noctune_type_" + std::to_string(place);
}

// "std::declval<noctune_type_1&>().box.low"
std::string member_of(const std::string& type, const std::string& path) {
  return "std::declval<" + type + "&>()." + path;
}

class Glue {
 public:
  explicit Glue(const MepSpec& spec) : spec_(spec), leaves_(leaves_of(spec)) {}

  std::string text() const {
    const auto flag = [](bool value) { return value ? "true;\n" : "false;\n"; };
    // The runtime's header comes first, so that no macro of context.hpp can change it.
    return "#include \"entry.hpp\"\n\n#include <cstring>\n#include <utility>\n\n#include "
           "\"context.hpp\"\n\n" +
           types() + assertions() + "\nnamespace noctune {\n\n" + "const char* const entry_name = \"" +
           spec_.entry + "\";\n" + "const bool entry_takes_scratch = " + flag(spec_.scratch) +
           "const bool entry_has_setup = " + flag(spec_.setup) +
           "const std::size_t entry_arguments = " + std::to_string(leaves_.size()) + ";\n" + places() + "\n" +
           call("call_entry", true) + "\n" + call("call_setup", spec_.setup) + "\n" + scratch_call() + "\n" +
           check_call() + "\n}  // namespace noctune\n";
  }

 private:
  std::size_t leaf_named(const std::string& name) const {
    for (std::size_t i = 0; i < leaves_.size(); ++i)
      if (leaves_[i].name == name || leaves_[i].records == name) return i;
    return 0;
  }

  static std::string slot(const std::string& slots, std::size_t index) {
    return slots + "[" + std::to_string(index) + "]";
  }

  // ---- types

  std::string types() const {
    std::string out;
    for (std::size_t i = 0; i < spec_.params.size(); ++i)
      if (!spec_.params[i].fields.empty())
        out += "using " + type_name(i) + " = std::remove_cv_t<std::remove_pointer_t<" +
               without_restrict(spec_.params[i].type) + ">>;\n";
    return out;
  }

  // The struct that the records of a leaf consist of.
  std::string record_type(const Leaf& leaf) const {
    const std::string base = type_name(leaf.place);
    const std::size_t dot = leaf.records.find('.');
    if (dot == std::string::npos) return base;
    return "std::remove_cv_t<std::remove_reference_t<decltype(*" +
           member_of(base, leaf.records.substr(dot + 1)) + ")>>";
  }

  std::string records_alias(std::size_t index) const { return "noctune_record_" + std::to_string(index); }

  // The types of context.hpp must be as wide as the spec's, or buffers would be too small.
  std::string assertions() const {
    std::string out = "static_assert(std::is_same<decltype(&::" + spec_.entry + "), void (*)(" +
                      parameter_list(spec_, false) +
                      ")>::value,\n              \"context.hpp and the spec's params differ on the "
                      "prototype of " +
                      spec_.entry + "\");\n";
    for (std::size_t i = 0; i < leaves_.size(); ++i) out += assertion(i);
    return out;
  }

  std::string assertion(std::size_t index) const {
    const Leaf& leaf = leaves_[index];
    const auto form = element_form_of(leaf.param.type, spec_.defines);
    if (!form) return {};
    const std::string says = ", \"the spec takes " + leaf.name + " for " + to_text(form->element) + "\");\n";
    const std::size_t bytes = size_of(form->element) * static_cast<std::size_t>(form->scalars);
    const std::size_t dot = leaf.name.find('.');
    if (dot == std::string::npos)
      return "static_assert(sizeof(std::remove_pointer<" + without_restrict(leaf.param.type) +
             ">::type) == " + std::to_string(bytes) + says;
    const bool pointer = is_pointer_type(leaf.param.type);
    const std::string wanted = pointer ? pointee(leaf.param.type) : pointee(leaf.param.type + "*");
    std::string member = leaf.kind == Leaf::Kind::member
                             ? member_of(record_type(leaf), leaf.path)
                             : member_of(type_name(leaf.place), leaf.name.substr(dot + 1));
    if (pointer) member = "*" + member;
    return "static_assert(std::is_same<std::remove_cv_t<std::remove_reference_t<decltype(" + member +
           ")>>, " + wanted + ">::value" + says;
  }

  std::string places() const {
    std::string aliases, rows;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const Leaf& leaf = leaves_[i];
      if (leaf.kind != Leaf::Kind::member) {
        rows += "    {0, 0, 0, 0, 1, nullptr},\n";
        continue;
      }
      const std::size_t owner = leaf_named(leaf.records);
      const std::string type = records_alias(owner);
      if (owner == i) aliases += "using " + type + " = " + record_type(leaf) + ";\n";
      rows += "    {" + std::to_string(owner) + ", sizeof(" + type + "), offsetof(" + type + ", " +
              leaf.path + "), sizeof(" + member_of(type, leaf.path) + "), alignof(" + type + "), \"" +
              leaf.records + "\"},\n";
    }
    return aliases + "const Place entry_places[] = {\n" + rows + "};\n";
  }

  // ---- assembling

  // Statements that make `variable`, a struct, of the slots of its members.
  std::string assembled(const ParamSpec& param, const std::string& name, const std::string& variable,
                        const std::string& type, const std::string& slots) const {
    std::string out = "  " + type + " " + variable + "{};\n";
    return out + members(param, name, variable, variable, slots);
  }

  std::string members(const ParamSpec& param, const std::string& name, const std::string& variable,
                      const std::string& target, const std::string& slots) const {
    std::string out;
    for (const ParamSpec& field : param.fields) {
      const std::string full = name + "." + field.name, member = target + "." + field.name;
      if (field.is_struct_value() && !field.fields.empty()) {
        out += members(field, full, variable, member, slots);
      } else if (field.is_single_struct()) {
        const std::string inner = variable + "_" + field.name;
        out += assembled(field, full, inner,
                         "std::remove_cv_t<std::remove_reference_t<decltype(*" + member + ")>>", slots) +
               "  " + member + " = &" + inner + ";\n";
      } else {
        out += member_set(leaf_named(full), member, slots);
      }
    }
    return out;
  }

  std::string member_set(std::size_t index, const std::string& member, const std::string& slots) const {
    if (leaves_[index].kind == Leaf::Kind::inlined)
      return "  std::memcpy(&" + member + ", " + slot(slots, index) + ", sizeof " + member + ");\n";
    return "  " + member + " = noctune_argument<" + without_restrict(leaves_[index].param.type) + ">(" +
           slot(slots, index) + ");\n";
  }

  std::string statements(Which which, const std::string& prefix, const std::string& slots) const {
    std::string out;
    for (std::size_t i = 0; i < spec_.params.size(); ++i) {
      const ParamSpec& param = spec_.params[i];
      if (takes(param, which) && is_assembled(param))
        out += assembled(param, param.name, prefix + std::to_string(i), type_name(i), slots);
    }
    return out;
  }

  // "noctune_argument<int>(noctune_slots[0]), noctune_struct_1"
  std::string arguments(Which which) const {
    std::string out;
    const auto add = [&](const std::string& one) { out += (out.empty() ? "" : ",\n      ") + one; };
    for (std::size_t i = 0; i < spec_.params.size(); ++i) {
      const ParamSpec& param = spec_.params[i];
      if (!takes(param, which)) continue;
      if (is_assembled(param))
        add((param.is_pointer() ? "&" : "") + struct_prefix + std::to_string(i));
      else
        add("noctune_argument<" + without_restrict(param.type) + ">(" +
            slot(slots_name, leaf_named(param.name)) + ")");
    }
    if (spec_.scratch && which == Which::all)
      add("noctune_argument<void*>(" + slot(slots_name, leaves_.size()) + ")");
    if (runs_on_gpu(spec_.backend) && which == Which::all) add("static_cast<mep_stream_t>(entry_stream())");
    return out;
  }

  // ---- calls

  std::string call(const std::string& name, bool exists) const {
    const std::string head = "void " + name + "(Symbol " + (exists ? "noctune_symbol" : "") +
                             ", void* const*" + (exists ? " noctune_slots" : "") + ") {";
    if (!exists) return head + "}\n";
    return head + "\n" + statements(Which::all, struct_prefix, slots_name) + "  reinterpret_cast<void (*)(" +
           parameter_list(spec_, false) + ")>(noctune_symbol)(\n      " + arguments(Which::all) + ");\n}\n";
  }

  std::string scratch_call() const {
    const std::string head = "std::size_t call_scratch_bytes(Symbol";
    if (!spec_.scratch) return head + ", void* const*) { return 0; }\n";
    return head + " noctune_symbol, [[maybe_unused]] void* const* noctune_slots) {\n" +
           statements(Which::by_value, struct_prefix, slots_name) +
           "  return reinterpret_cast<std::size_t (*)(" + parameter_list(spec_, false, Which::by_value) +
           ")>(noctune_symbol)(\n      " + arguments(Which::by_value) + ");\n}\n";
  }

  // By parameter what it pointed to before the call; a struct as it was then, its buffers those of then.
  std::string before() const {
    std::string out;
    for (std::size_t i = 0; i < spec_.params.size(); ++i) {
      const ParamSpec& param = spec_.params[i];
      out += (i ? ", " : "") + (is_assembled(param)  ? "&" + old_prefix + std::to_string(i)
                                : param.is_pointer() ? slot("noctune_old", leaf_named(param.name))
                                                     : std::string("nullptr"));
    }
    return out;
  }

  // Without a check nothing holds: whoever asks for a judgement then must not get a good one.
  std::string check_call() const {
    if (spec_.check.invariants.empty())
      return "int call_check(Symbol, void* const*, void* const*, char*, std::size_t) { return 1; }\n";
    const std::string own = arguments(Which::without_scratch);
    return "int call_check(Symbol noctune_symbol, [[maybe_unused]] void* const* noctune_slots,\n"
           "               [[maybe_unused]] void* const* noctune_old, char* noctune_why, std::size_t "
           "noctune_room) {\n" +
           statements(Which::without_scratch, struct_prefix, slots_name) +
           statements(Which::without_scratch, old_prefix, "noctune_old") +
           "  const void* const noctune_before[] = {" + before() + "};\n  return reinterpret_cast<int (*)(" +
           check_types(spec_) + ")>(noctune_symbol)(\n      " + own + (own.empty() ? "" : ",\n      ") +
           "noctune_before, noctune_why, noctune_room);\n}\n";
  }

  const std::string struct_prefix = "noctune_struct_", old_prefix = "noctune_old_",
                    slots_name = "noctune_slots";
  const MepSpec& spec_;
  const std::vector<Leaf> leaves_;
};

}  // namespace

std::string parameter_list(const MepSpec& spec, bool names, Which which) {
  std::string out;
  const auto add = [&](const std::string& type, const std::string& name) {
    out += (out.empty() ? "" : ", ") + (names ? declared(type, name) : type);
  };
  for (const ParamSpec& param : spec.params)
    if (takes(param, which)) add(param.type, param.name);
  if (spec.scratch && which == Which::all) add("void*", "scratch");
  if (runs_on_gpu(spec.backend) && which == Which::all) add("mep_stream_t", "stream");
  return out;
}

std::string check_types(const MepSpec& spec) {
  const std::string own = parameter_list(spec, false, Which::without_scratch);
  return own + (own.empty() ? "" : ", ") + "const void* const*, char*, std::size_t";
}

std::string glue_source(const MepSpec& spec) {
  return Glue(spec).text();
}

}  // namespace noctune
