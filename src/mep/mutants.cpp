#include "mep/mutants.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "mep/leaves.hpp"
#include "model/backend.hpp"
#include "model/c_type.hpp"
#include "model/element_type.hpp"

namespace noctune {
namespace {

constexpr const char* single_functions[] = {"sqrt",  "cbrt",  "fabs",  "exp",  "exp2", "log",  "log2",
                                            "log10", "pow",   "sin",   "cos",  "tan",  "asin", "acos",
                                            "atan",  "atan2", "sinh",  "cosh", "tanh", "erf",  "floor",
                                            "ceil",  "round", "trunc", "fmin", "fmax", "fmod", "hypot"};

std::string parameters(const MepSpec& spec, bool by_value_only = false) {
  std::string out;
  for (std::size_t i = 0; i < spec.params.size(); ++i)
    if (!by_value_only || !spec.params[i].is_pointer())
      out += (out.empty() ? "" : ", ") + declared(spec.params[i].type, "p" + std::to_string(i));
  if (by_value_only) return out;
  if (spec.scratch) out += (out.empty() ? "" : ", ") + std::string("void* scratch");
  if (runs_on_gpu(spec.backend)) out += (out.empty() ? "" : ", ") + std::string("mep_stream_t stream");
  return out;
}

// "(noctune_wide_0)p0, ...": C casts, since pointers and numbers are converted alike.
std::string arguments(const MepSpec& spec, bool by_value_only = false) {
  std::string out;
  for (std::size_t i = 0; i < spec.params.size(); ++i)
    if (!by_value_only || !spec.params[i].is_pointer())
      out += (out.empty() ? "(noctune_wide_" : ", (noctune_wide_") + std::to_string(i) + ")p" +
             std::to_string(i);
  if (by_value_only) return out;
  if (spec.scratch) out += (out.empty() ? "" : ", ") + std::string("scratch");
  if (runs_on_gpu(spec.backend)) out += (out.empty() ? "" : ", ") + std::string("stream");
  return out;
}

// Headers come before the macros, so that none reaches into them.
std::string includes_of(const std::string& source) {
  std::istringstream lines(source);
  std::string out, line;
  while (std::getline(lines, line)) {
    const auto start = line.find_first_not_of(" \t");
    if (start != std::string::npos && line.compare(start, 1, "#") == 0 &&
        line.find("include", start) != std::string::npos && line.find('<') != std::string::npos)
      out += line + "\n";
  }
  return out;
}

}  // namespace

std::string null_version(const MepSpec& spec) {
  std::string params;
  for (const ParamSpec& param : spec.params) params += (params.empty() ? "" : ", ") + param.type;
  if (spec.scratch) params += params.empty() ? "void*" : ", void*";
  if (runs_on_gpu(spec.backend)) params += params.empty() ? "mep_stream_t" : ", mep_stream_t";
  std::string out = "extern \"C\" void " + spec.entry + "(" + params + ") {}\n";
  if (spec.setup) out += "extern \"C\" void " + spec.entry + "_setup(" + params + ") {}\n";
  if (spec.scratch)
    out += "#include <cstddef>\nextern \"C\" std::size_t " + spec.entry + "_scratch_bytes(" +
           parameters(spec, true) + ") { return 0; }\n";
  return out;
}

bool has_narrow_floats(const MepSpec& spec) {
  const std::vector<Leaf> leaves = leaves_of(spec);
  return std::any_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
    const auto element = element_of(leaf.param.type, spec.defines);
    return leaf.kind != Leaf::Kind::value && element && is_floating(*element) &&
           unit_roundoff(*element) > 1e-15;
  });
}

bool can_be_widened(const MepSpec& spec) {
  const bool whole = std::all_of(spec.params.begin(), spec.params.end(), [&](const ParamSpec& param) {
    const auto form = element_form_of(param.type, spec.defines);
    return param.fields.empty() && form && form->vector.empty();
  });
  return whole && has_narrow_floats(spec);
}

std::string widened_version(const MepSpec& spec, const std::string& original) {
  std::vector<std::string> macros = {"float", "_Float16"};
  std::string out = "#include <cmath>\n" + includes_of(original);
  for (const std::string& narrow : macros) out += "#define " + narrow + " double\n";
  for (const char* name : single_functions) {
    macros.push_back(std::string(name) + "f");
    out += "#define " + macros.back() + " " + name + "\n";
  }
  for (const char* suffix : {"", "_setup", "_scratch_bytes"}) {
    macros.push_back(spec.entry + suffix);
    out += "#define " + macros.back() + " noctune_wide_" + macros.back() + "\n";
  }
  out += original + "\n";
  for (std::size_t i = 0; i < spec.params.size(); ++i)
    out += "typedef " + declared(spec.params[i].type, "noctune_wide_" + std::to_string(i)) + ";\n";
  for (const std::string& macro : macros) out += "#undef " + macro + "\n";
  const std::string head = "extern \"C\" void " + spec.entry,
                    all = "(" + parameters(spec) + ") { noctune_wide_";
  out += head + all + spec.entry + "(" + arguments(spec) + "); }\n";
  if (spec.setup) out += head + "_setup" + all + spec.entry + "_setup(" + arguments(spec) + "); }\n";
  if (spec.scratch)
    out += "extern \"C\" std::size_t " + spec.entry + "_scratch_bytes(" + parameters(spec, true) +
           ") { return 2 * noctune_wide_" + spec.entry + "_scratch_bytes(" + arguments(spec, true) + "); }\n";
  return out;
}

}  // namespace noctune
