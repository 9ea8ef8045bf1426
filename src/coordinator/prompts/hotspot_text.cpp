#include "coordinator/prompts/hotspot_text.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"
#include "coordinator/prompts/extra_flags.hpp"
#include "coordinator/prompts/plain_text.hpp"
#include "evaluator/gpu/gpu_libraries.hpp"
#include "evaluator/gpu/gpu_toolchain.hpp"
#include "mep/driver_sources.hpp"
#include "model/backend.hpp"
#include "model/expression.hpp"
#include "model/mep_globals.hpp"

namespace noctune {
namespace {

const char* word_of(Role role) {
  switch (role) {
    case Role::in:
      return "input, must not change";
    case Role::out:
      return "output, holds garbage before the call";
    case Role::inout:
      return "input and output";
    case Role::scratch:
      return "work space, holds garbage before the call";
  }
  return "";
}

std::string short_number(double value) {
  char out[32];
  std::snprintf(out, sizeof out, "%.3g", value);
  return out;
}

// A plain number is one choice among many: versions must not be written for it.
bool names_a_size(const std::string& expression) {
  const auto names = names_in(expression);
  return names && !names->empty();
}

std::string described(const ParamSpec& param);

// Members of structs, indented below their parameter.
std::string member_lines(const ParamSpec& param, const std::string& indent) {
  std::string out;
  for (const ParamSpec& field : param.fields) {
    const bool plain = !field.value && field.count.empty() && field.fields.empty();
    out += "\n" + indent + "- `" + field.name + "`, " + field.type;
    if (!plain) out += ": " + described(field);
    out += member_lines(field, indent + "  ");
  }
  return out;
}

std::string described(const ParamSpec& param) {
  if (param.value) return "by value" + (names_a_size(*param.value) ? ", " + *param.value : "");
  if (!param.is_pointer()) return "a struct by value";
  if (param.is_single_struct()) return "a struct, must not change itself";
  std::string out = std::string(word_of(param.role)) + ", " + param.count + " elements";
  if (!param.live_out) out += "; nobody reads it afterwards, so it need not be written";
  if (param.by_invariants) out += "; judged by what must hold for it, not by its values";
  return out;
}

std::string parameter_line(const MepSpec& spec, const ParamSpec& param) {
  return "- `" + param.name + "`, " + param.type + ": " + described(param) +
         (is_global(spec, param.name) ? "; the contents of the symbol of that name" : "") +
         member_lines(param, "  ");
}

std::string parameters(const MepSpec& spec) {
  std::string out;
  for (const ParamSpec& param : spec.params) out += parameter_line(spec, param) + "\n";
  out += "Different pointers never overlap.";
  if (spec.scratch)
    out += "\nThe trailing `void* scratch` is work space of as many bytes as `" + spec.entry +
           "_scratch_bytes` returns, which the file must define as well.";
  if (spec.setup)
    out += "\n`" + spec.entry +
           "_setup` runs before the calls, outside the timed region; the file must define it as well.";
  return out;
}

// The lines of context.hpp that declare what a file must define.
std::string prototype(const MepSpec& spec) {
  std::string out;
  for (const std::string& line : lines_of(context_header(spec)))
    if (line.rfind("extern \"C\"", 0) == 0) out += line + "\n";
  return fenced("cpp", out);
}

// Only timed cases: what else is checked is nobody's business.
std::string sizes(const MepReport& report) {
  std::string out;
  for (const SizedCase& one : report.cases) {
    if (one.use != CaseUse::time) continue;
    out += "- timed";
    for (const auto& [name, value] : one.sizes) out += ", " + name + " = " + std::to_string(value);
    if (one.data_bytes > 0) out += "; data " + bytes_text(static_cast<double>(one.data_bytes));
    if (one.flops > 0) out += "; " + short_number(one.flops) + " flop";
    if (one.bytes > 0) out += "; at least " + short_number(one.bytes) + " bytes moved";
    if (one.weight != 1) out += "; weight " + short_number(one.weight);
    out += "\n";
  }
  return out +
         "Results must be right for every other size as well, those that are multiples of nothing and 1 "
         "included.";
}

std::string tolerance(const PromptInput& input) {
  std::string out;
  std::vector<std::string> seen;
  for (const OutputTolerance& one : input.report.tolerances) {
    if (std::find(seen.begin(), seen.end(), one.param) != seen.end()) continue;
    seen.push_back(one.param);
    double largest = 0;
    for (const OutputTolerance& other : input.report.tolerances)
      if (other.param == one.param) largest = std::max(largest, other.tolerance);
    out += "- `" + one.param + "`: " +
           (largest > 0 ? "relative error in the 2-norm up to " + short_number(largest) +
                              ", each element up to 4 times that of its size plus that of its neighbours"
                        : std::string("equal")) +
           "\n";
  }
  if (out.empty()) out = "Rounding differences of another order of summation are allowed, no more.\n";
  return out + "Summing in another order is fine; a narrower type or a dropped term is not.";
}

std::string ceilings(const DeviceFacts& device) {
  std::string out;
  for (const Ceiling& one : device.ceilings) {
    const std::string value =
        one.unit == "s" ? duration_text(one.value) : short_number(one.value * 1e-9) + " G" + one.unit;
    out += (out.empty() ? "" : ", ") + one.name + " " + value;
  }
  return out.empty() ? "not measured" : out;
}

std::string caches(const DeviceFacts& device) {
  std::string out;
  const auto add = [&](const char* name, long long bytes) {
    if (bytes > 0) out += (out.empty() ? "" : ", ") + (name + (" " + std::to_string(bytes / 1024) + " KiB"));
  };
  add("L1 data", device.l1_bytes);
  add("L2", device.l2_bytes);
  add("last level", device.last_level_cache_bytes);
  return out.empty() ? "not known" : out;
}

std::string threads(const PromptInput& input) {
  const int cores = static_cast<int>(input.device.measured_cpus.size()), chosen = input.task.platform.threads;
  const int count = chosen > 0 ? chosen : cores;
  if (count <= 0) return "as many as omp_get_max_threads() says, pinned";
  return std::to_string(count) + (count == 1 ? " thread" : " threads, each pinned to a core of its own") +
         "; the number is not a constant of the program: ask omp_get_max_threads() or leave it to OpenMP";
}

// Folders of flags belong to this machine.
std::string compile_line(const PromptInput& input) {
  const auto& flags = input.task.mep.flags.empty() ? input.task.platform.flags : input.task.mep.flags;
  std::string out = input.task.platform.compiler;
  for (const std::string& flag : flags) out += " " + flag;
  if (runs_on_gpu(input.task.platform.backend)) {
    GpuSettings settings;
    settings.backend = input.task.platform.backend;
    settings.flags = flags;
    const std::string& chosen = input.task.platform.architecture;
    settings.architectures = {chosen.empty() ? input.device.gpu.architecture : chosen};
    const auto toolchain = gpu_toolchain(settings);
    if (toolchain)
      for (const std::string& flag : toolchain->architecture_flags) out += " " + flag;
  }
  return without_paths(out + " -fPIC -shared -include context.hpp");
}

// Empty where none is allowed. Libraries that are linked want a handle.
std::string libraries(const PromptInput& input) {
  const MepSpec& spec = input.task.mep.spec;
  const auto allowed = allowed_libraries(input.task.platform.backend, input.task.mep.libraries);
  if (!allowed || allowed->libraries.empty()) return {};
  std::string names;
  for (const VendorLibrary* one : allowed->libraries)
    names += (names.empty() ? "" : ", ") + std::string(one->name);
  std::string out = "- Libraries: " + names + " may be used, no others.";
  if (allowed->links.empty()) return out;
  return out + " Handles may be made once" +
         (spec.setup ? " in `" + spec.entry + "_setup`, and kept in a static"
                     : std::string(", by the first call, and kept in a static")) +
         "; set the entry's stream on them in every call.";
}

std::string vectors(const DeviceFacts& device) {
  const int bits = 8 * device.vector_bytes;
  return "registers of " + std::to_string(bits) + " bits (" + std::to_string(device.vector_bytes / 8) +
         " double or " + std::to_string(device.vector_bytes / 4) + " float)";
}

std::string work(const MepSpec& spec) {
  std::string out;
  if (!spec.flops.empty()) out = "One call does " + spec.flops + " floating-point operations";
  if (!spec.bytes.empty())
    out += (out.empty() ? "One call moves at least " : " and moves at least ") + spec.bytes + " bytes";
  return out.empty() ? out : out + ".";
}

std::string mechanism_list() {
  std::string out;
  for (const char* one : mechanisms) out += (out.empty() ? "" : ", ") + std::string(one);
  return out;
}

}  // namespace

PromptValues stable_values(const PromptInput& input) {
  const MepSource& mep = input.task.mep;
  PromptValues out = {{"hotspot", mep.hotspot},
                      {"entry", mep.spec.entry},
                      {"backend", input.task.platform.backend},
                      {"processor", input.device.name.empty() ? "not known" : input.device.name},
                      {"threads", threads(input)},
                      {"vectors", vectors(input.device)},
                      {"caches", caches(input.device)},
                      {"ceilings", ceilings(input.device)},
                      {"compiler", without_paths(input.device.compiler)},
                      {"compile_line", compile_line(input)},
                      {"allowed_flags", allowed_flags_text(input.task.platform.backend)},
                      {"libraries", libraries(input)},
                      {"mechanisms", mechanism_list()},
                      {"prototype", prototype(mep.spec)},
                      {"parameters", parameters(mep.spec)},
                      {"sizes", sizes(input.report)},
                      {"work", work(mep.spec)},
                      {"tolerance", tolerance(input)},
                      {"context", fenced("cpp", clean_text(context_header(mep.spec, mep.context)))},
                      {"original", fenced("cpp", clean_text(mep.original))}};
  return out;
}

}  // namespace noctune
