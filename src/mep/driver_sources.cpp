// Generated texts: context.hpp for those who bring none; glue.cpp is glue.cpp's.
#include "mep/driver_sources.hpp"

#include "mep/glue.hpp"
#include "mep/inputs_source.hpp"
#include "mep/runtime_sources.hpp"
#include "mep/type_text.hpp"

namespace noctune {
namespace {

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

}  // namespace

std::string context_header(const MepSpec& spec, const std::string& user_context) {
  // Headers and vector types come before the defines: an alias such as `real` must not reach into them.
  const std::string types = types_in(spec);
  std::string head = "#pragma once\n";
  if (types.find("std::complex") != std::string::npos) head += "#include <complex>\n";
  head +=
      "#include <cstddef>\n#include <cstdint>\n" + vector_prelude(types, user_context) + defines(spec) + "\n";
  if (user_context.empty()) return head + struct_declarations(spec) + prototypes(spec);
  return head + user_context + (user_context.back() == '\n' ? "" : "\n");
}

std::string check_source(const MepSpec& spec, const std::string& text) {
  return "#include <cstddef>\nextern \"C\" int " + spec.entry + "_check(" + check_types(spec) +
         ");\n#line 1 \"check.cpp\"\n" + text;
}

std::map<std::string, std::string> driver_sources(const MepSpec& spec, const std::string& user_context,
                                                  const std::string& inputs) {
  std::map<std::string, std::string> files = runtime_sources();
  files["context.hpp"] = context_header(spec, user_context);
  files["glue.cpp"] = glue_source(spec) + inputs_glue(spec);
  if (!needs_inputs(spec)) return files;
  files["inputs.hpp"] = inputs_header(spec);
  files["inputs.cpp"] = inputs_source(inputs);
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

std::vector<std::string> driver_compile_arguments(const std::string& object, bool inputs) {
  std::vector<std::string> last = {"-Wl,-z,relro,-z,now", object, "glue.cpp"};
  if (inputs) last.emplace_back("inputs.cpp");
  last.insert(last.end(), {"-o", "driver", "-ldl"});
  return with_common(std::move(last));
}

std::vector<std::string> sanitized_driver_arguments(const std::string& object, const std::string& sanitizers,
                                                    bool inputs) {
  std::vector<std::string> last = {"-Wl,-z,relro,-z,now", "-fsanitize=" + sanitizers, object, "glue.cpp"};
  if (inputs) last.emplace_back("inputs.cpp");
  if (sanitizers.find("address") != std::string::npos) last.emplace_back("sanitized.cpp");
  last.insert(last.end(), {"-o", "driver-sanitized", "-ldl"});
  return with_common(std::move(last));
}

std::vector<std::string> runtime_compile_arguments() {
  return with_common({"-c", "driver.cpp", "-o", "driver.o"});
}

}  // namespace noctune
