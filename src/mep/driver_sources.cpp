// Generated texts: context.hpp for those who bring none; glue.cpp is glue.cpp's.
#include "mep/driver_sources.hpp"

#include "mep/glue.hpp"
#include "mep/inputs_source.hpp"
#include "mep/runtime_sources.hpp"
#include "mep/type_text.hpp"
#include "model/backend.hpp"

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

// The toolkit has the vector types.
std::string gpu_context(const MepSpec& spec, const std::string& user_context) {
  const std::string header = spec.backend == "cuda" ? "cuda_runtime.h" : "hip/hip_runtime.h";
  const std::string head = "#include <" + header + ">\n#include <cstddef>\n#include <cstdint>\ntypedef " +
                           spec.backend + "Stream_t mep_stream_t;\n" + defines(spec) + "\n";
  if (user_context.empty()) return head + struct_declarations(spec) + prototypes(spec);
  return head + user_context + (user_context.back() == '\n' ? "" : "\n");
}

}  // namespace

std::string context_header(const MepSpec& spec, const std::string& user_context) {
  // Headers and vector types come before the defines: an alias such as `real` must not reach into them.
  const std::string types = types_in(spec);
  std::string head = "#pragma once\n";
  if (runs_on_gpu(spec.backend)) return head + gpu_context(spec, user_context);
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
  files["glue" + source_suffix(spec.backend)] = glue_source(spec) + inputs_glue(spec);
  if (!needs_inputs(spec)) return files;
  files["inputs.hpp"] = inputs_header(spec);
  files["inputs.cpp"] = inputs_source(inputs);
  return files;
}

namespace {

using Arguments = std::vector<std::string>;

void append(Arguments& to, const Arguments& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Numbers must come out alike on host and device: no contraction anywhere.
Arguments common(const DriverBuild& build) {
  if (build.backend == "cuda")
    return {"-std=c++17",
            "-O2",
            "-arch=" + build.architecture,
            "-fmad=false",
            "-cudart",
            "shared",
            "-Xcompiler",
            "-fopenmp,-ffp-contract=off,-fvisibility=hidden"};
  if (build.backend == "hip")
    return {"-std=c++17",
            "-O2",
            "--offload-arch=" + build.architecture,
            "-ffp-contract=off",
            "-fvisibility=hidden",
            "-Wno-unused-value"};
  return {"-std=c++17", "-O2", "-fopenmp", "-ffp-contract=off", "-fvisibility=hidden"};
}

Arguments linking(const DriverBuild& build) {
  if (build.backend != "cuda") return {"-Wl,-z,relro,-z,now"};
  Arguments out = {"-Xlinker", "-z,relro,-z,now"};
  if (!build.libraries.empty()) append(out, {"-Xlinker", "-rpath," + build.libraries});
  return out;
}

}  // namespace

Arguments driver_compile_arguments(const DriverBuild& build, const std::string& object, bool inputs) {
  Arguments out = common(build);
  append(out, linking(build));
  append(out, {object, "glue" + source_suffix(build.backend)});
  if (inputs) out.emplace_back("inputs.cpp");
  append(out, {"-o", "driver", "-ldl"});
  return out;
}

Arguments sanitized_driver_arguments(const std::string& object, const std::string& sanitizers, bool inputs) {
  Arguments out = common({});
  append(out, {"-Wl,-z,relro,-z,now", "-fsanitize=" + sanitizers, object, "glue.cpp"});
  if (inputs) out.emplace_back("inputs.cpp");
  if (sanitizers.find("address") != std::string::npos) out.emplace_back("sanitized.cpp");
  append(out, {"-o", "driver-sanitized", "-ldl"});
  return out;
}

Arguments runtime_compile_arguments(const DriverBuild& build) {
  Arguments out = common(build);
  if (runs_on_gpu(build.backend)) append(out, {"-x", build.backend == "cuda" ? "cu" : "hip"});
  append(out, {"-c", "driver.cpp", "-o", "driver.o"});
  return out;
}

}  // namespace noctune
