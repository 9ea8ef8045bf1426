// Generated texts: context.hpp for those who bring none, and glue.cpp, which turns slots into a typed call.
#include "mep/driver_sources.hpp"

#include "mep/runtime_sources.hpp"
#include "model/element_type.hpp"

namespace noctune {
namespace {

bool by_value(const ParamSpec& param) {
  return !param.is_pointer();
}

// "int n, const double* a, void* scratch"; types alone when `names` is false.
enum class Which { all, by_value, without_scratch };

std::string parameter_list(const MepSpec& spec, bool names, Which which = Which::all) {
  std::string out;
  const auto add = [&](const std::string& type, const std::string& name) {
    out += (out.empty() ? "" : ", ") + type + (names ? " " + name : "");
  };
  for (const ParamSpec& param : spec.params)
    if (which != Which::by_value || by_value(param)) add(param.type, param.name);
  if (spec.scratch && which == Which::all) add("void*", "scratch");
  return out;
}

std::string defines(const MepSpec& spec) {
  std::string out;
  for (const auto& [name, value] : spec.defines)
    out += "#ifndef " + name + "\n#define " + name + " " + value + "\n#endif\n";
  return out;
}

std::string prototypes(const MepSpec& spec) {
  const std::string all = "(" + parameter_list(spec, true) + ");\n";
  std::string out = "extern \"C\" void " + spec.entry + all;
  if (spec.setup) out += "extern \"C\" void " + spec.entry + "_setup" + all;
  if (spec.scratch)
    out += "extern \"C\" std::size_t " + spec.entry + "_scratch_bytes(" +
           parameter_list(spec, true, Which::by_value) + ");\n";
  return out;
}

// "noctune_argument<int>(noctune_slots[0]), noctune_argument<const double*>(noctune_slots[1])"
std::string arguments(const MepSpec& spec, Which which = Which::all) {
  std::string out;
  std::size_t slot = 0;
  const auto add = [&](const std::string& type, std::size_t at) {
    out += (out.empty() ? "" : ",\n      ") + ("noctune_argument<" + type + ">(noctune_slots[") +
           std::to_string(at) + "])";
  };
  for (const ParamSpec& param : spec.params) {
    if (which != Which::by_value || by_value(param)) add(param.type, slot);
    ++slot;
  }
  if (spec.scratch && which == Which::all) add("void*", slot);
  return out;
}

// The types of context.hpp must be as wide as the spec's, or buffers would be too small.
std::string assertions(const MepSpec& spec) {
  std::string out =
      "static_assert(std::is_same<decltype(&::" + spec.entry + "), void (*)(" + parameter_list(spec, false) +
      ")>::value,\n              \"context.hpp and the spec's params differ on the prototype of " +
      spec.entry + "\");\n";
  for (const ParamSpec& param : spec.params) {
    const auto element = element_of(param.type, spec.defines);
    if (!element) continue;
    out += "static_assert(sizeof(std::remove_pointer<" + param.type +
           ">::type) == " + std::to_string(size_of(*element)) + ", \"the spec takes " + param.name + " for " +
           to_text(*element) + "\");\n";
  }
  return out;
}

std::string call(const std::string& name, const std::string& symbol, const MepSpec& spec, bool exists) {
  const std::string head = "void " + name + "(Symbol " + (exists ? symbol : "") + ", void* const*" +
                           (exists ? " noctune_slots" : "") + ") {";
  if (!exists) return head + "}\n";
  return head + "\n  reinterpret_cast<void (*)(" + parameter_list(spec, false) + ")>(" + symbol +
         ")(\n      " + arguments(spec) + ");\n}\n";
}

std::string scratch_call(const MepSpec& spec) {
  const std::string head = "std::size_t call_scratch_bytes(Symbol";
  if (!spec.scratch) return head + ", void* const*) { return 0; }\n";
  return head +
         " noctune_symbol, [[maybe_unused]] void* const* noctune_slots) {\n  return "
         "reinterpret_cast<std::size_t (*)(" +
         parameter_list(spec, false, Which::by_value) + ")>(noctune_symbol)(\n      " +
         arguments(spec, Which::by_value) + ");\n}\n";
}

// "int, double*, const void* const*, char*, std::size_t": the check's parameters.
std::string check_types(const MepSpec& spec) {
  const std::string own = parameter_list(spec, false, Which::without_scratch);
  return own + (own.empty() ? "" : ", ") + "const void* const*, char*, std::size_t";
}

// Without a check nothing holds: whoever asks for a judgement then must not get a good one.
std::string check_call(const MepSpec& spec) {
  if (spec.check.invariants.empty())
    return "int call_check(Symbol, void* const*, const void* const*, char*, std::size_t) { return 1; }\n";
  const std::string own = arguments(spec, Which::without_scratch);
  return "int call_check(Symbol noctune_symbol, [[maybe_unused]] void* const* noctune_slots,\n"
         "               const void* const* noctune_before, char* noctune_why, std::size_t noctune_room) {\n"
         "  return reinterpret_cast<int (*)(" +
         check_types(spec) + ")>(noctune_symbol)(\n      " + own + (own.empty() ? "" : ",\n      ") +
         "noctune_before, noctune_why, noctune_room);\n}\n";
}

std::string glue(const MepSpec& spec) {
  const auto flag = [](bool value) { return value ? "true;\n" : "false;\n"; };
  // The runtime's header comes first, so that no macro of context.hpp can change it.
  return "#include \"entry.hpp\"\n\n#include \"context.hpp\"\n\n" + assertions(spec) +
         "\nnamespace noctune {\n\n" + "const char* const entry_name = \"" + spec.entry + "\";\n" +
         "const bool entry_takes_scratch = " + flag(spec.scratch) +
         "const bool entry_has_setup = " + flag(spec.setup) +
         "const std::size_t entry_params = " + std::to_string(spec.params.size()) + ";\n\n" +
         call("call_entry", "noctune_symbol", spec, true) + "\n" +
         call("call_setup", "noctune_symbol", spec, spec.setup) + "\n" + scratch_call(spec) + "\n" +
         check_call(spec) + "\n}  // namespace noctune\n";
}

}  // namespace

std::string context_header(const MepSpec& spec, const std::string& user_context) {
  // Headers come before the defines: an alias such as `real` must not reach into them.
  std::string head = "#pragma once\n";
  for (const ParamSpec& param : spec.params)
    if (param.type.find("std::complex") != std::string::npos && head.size() < 20)
      head += "#include <complex>\n";
  head += "#include <cstddef>\n#include <cstdint>\n" + defines(spec) + "\n";
  if (user_context.empty()) return head + prototypes(spec);
  return head + user_context + (user_context.back() == '\n' ? "" : "\n");
}

std::string check_source(const MepSpec& spec, const std::string& text) {
  return "#include <cstddef>\nextern \"C\" int " + spec.entry + "_check(" + check_types(spec) +
         ");\n#line 1 \"check.cpp\"\n" + text;
}

std::map<std::string, std::string> driver_sources(const MepSpec& spec, const std::string& user_context) {
  std::map<std::string, std::string> files = runtime_sources();
  files["context.hpp"] = context_header(spec, user_context);
  files["glue.cpp"] = glue(spec);
  return files;
}

namespace {

std::vector<std::string> with_common(std::vector<std::string> last) {
  std::vector<std::string> out = {"-std=c++17", "-O2", "-fopenmp", "-ffp-contract=off",
                                  "-fvisibility=hidden"};
  out.insert(out.end(), last.begin(), last.end());
  return out;
}

}  // namespace

std::vector<std::string> driver_compile_arguments(const std::string& object) {
  return with_common({"-Wl,-z,relro,-z,now", object, "glue.cpp", "-o", "driver", "-ldl"});
}

std::vector<std::string> sanitized_driver_arguments(const std::string& object,
                                                    const std::string& sanitizers) {
  std::vector<std::string> last = {"-Wl,-z,relro,-z,now", "-fsanitize=" + sanitizers, object, "glue.cpp"};
  if (sanitizers.find("address") != std::string::npos) last.emplace_back("sanitized.cpp");
  last.insert(last.end(), {"-o", "driver-sanitized", "-ldl"});
  return with_common(std::move(last));
}

std::vector<std::string> runtime_compile_arguments() {
  return with_common({"-c", "driver.cpp", "-o", "driver.o"});
}

}  // namespace noctune
