#include "evaluator/gpu/gpu_toolchain.hpp"

#include <algorithm>
#include <cctype>

#include "evaluator/gpu/gpu_libraries.hpp"
#include "model/backend.hpp"
#include "model/campaign.hpp"

namespace noctune {
namespace {

using Texts = std::vector<std::string>;

void append(Texts& out, const Texts& more) {
  out.insert(out.end(), more.begin(), more.end());
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool all_of(const std::string& text, bool (*is)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is);
}

// "sm_90" for "9.0", "90", "sm_90", "compute_90"; "sm_90a" keeps its letter. Empty for anything else.
std::string nvidia_architecture(std::string text) {
  for (const std::string start : {"sm_", "compute_"})
    if (text.starts_with(start)) text = text.substr(start.size());
  const auto dot = text.find('.');
  if (dot != std::string::npos && dot + 2 != text.size()) return {};
  if (dot != std::string::npos) text.erase(dot, 1);
  std::string digits = text;
  if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.pop_back();
  return digits.size() >= 2 && digits.size() <= 3 && all_of(digits, is_digit) ? "sm_" + text : "";
}

// "gfx906" with features, "gfx906:sramecc+:xnack-". Empty for anything else.
std::string amd_architecture(const std::string& text) {
  const std::string name = text.substr(0, text.find(':')), features = text.substr(name.size());
  const auto number = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  const auto feature = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == ':' || c == '+' || c == '-';
  };
  if (!name.starts_with("gfx") || name.size() < 6 || name.size() > 7 || !all_of(name.substr(3), number))
    return {};
  return features.empty() || all_of(features, feature) ? text : "";
}

bool names_architectures(const Texts& flags) {
  static const Texts starts = {"-arch",           "--gpu-architecture", "-gencode",
                               "--generate-code", "--gpu-code",         "-code",
                               "--offload-arch",  "--amdgpu-target",    "--cuda-gpu-arch"};
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return std::any_of(starts.begin(), starts.end(),
                       [&](const std::string& s) { return flag.starts_with(s); });
  });
}

GpuToolchain cuda_toolchain() {
  GpuToolchain out;
  out.report_flags = {"-Xptxas", "-v"};
  out.profile_flags = {"-lineinfo"};
  out.plugin_flags = {"-shared", "-Xcompiler", "-fPIC", "-cudart", "shared"};
  return out;
}

GpuToolchain hip_toolchain() {
  GpuToolchain out;
  out.report_flags = {"-Rpass-analysis=kernel-resource-usage"};
  out.plugin_flags = {"-shared", "-fPIC"};
  return out;
}

// A version that calls no library must not wait for hundreds of megabytes of one.
Texts links_of(const Texts& libraries, const std::string& backend, const std::string& folder) {
  if (libraries.empty()) return {};
  Texts out;
  const auto tell_linker = [&](const std::string& option) {
    append(out, backend == "cuda" ? Texts{"-Xlinker", option} : Texts{"-Wl," + option});
  };
  tell_linker("--as-needed");
  if (!folder.empty()) tell_linker("-rpath," + folder);
  append(out, libraries);
  return out;
}

}  // namespace

Result<Texts> architecture_list(const std::string& backend, const Texts& texts) {
  Texts out;
  for (const std::string& text : texts) {
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t stop = std::min(text.find_first_of(", ;", from), text.size());
      const std::string one = text.substr(from, stop - from);
      from = stop + 1;
      if (one.empty()) continue;
      const bool nvidia = backend == "cuda" || one.starts_with("sm_");  // HIP runs on NVIDIA's, too
      const std::string name = nvidia ? nvidia_architecture(one) : amd_architecture(one);
      if (name.empty())
        return fail("\"" + one + "\" is no architecture of the backend " + backend,
                    "nothing can be compiled for it",
                    backend == "cuda" ? "name compute capabilities, for example 9.0 or sm_90"
                                      : "name targets as rocminfo prints them, for example gfx906");
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
  }
  return out;
}

Texts architecture_flags(const std::string& backend, const Texts& architectures) {
  Texts out;
  for (const std::string& one : architectures) {
    if (backend == "hip")
      out.push_back("--offload-arch=" + one);
    else if (architectures.size() == 1)
      out.push_back("-arch=" + one);
    else
      append(out, {"-gencode", "arch=compute_" + one.substr(3) + ",code=" + one});
  }
  return out;
}

Result<GpuToolchain> gpu_toolchain(const GpuSettings& settings) {
  if (!runs_on_gpu(settings.backend))
    return fail("\"" + settings.backend + "\" is no GPU backend", "only cuda and hip have GPU compilers");
  const Result<Texts> architectures = architecture_list(settings.backend, settings.architectures);
  if (!architectures) return Failure(architectures.error());
  const bool by_flags = names_architectures(settings.flags);
  if (architectures->empty() && !by_flags)
    return fail("no GPU architecture to compile for", "none was found or set",
                "run where a device is visible, or set platform.architecture");
  const Result<AllowedLibraries> libraries = allowed_libraries(settings.backend, settings.allow_libraries);
  if (!libraries) return Failure(libraries.error());
  const PlatformSettings usual = default_platform(settings.backend);
  GpuToolchain out = settings.backend == "cuda" ? cuda_toolchain() : hip_toolchain();
  out.backend = settings.backend;
  out.suffix = source_suffix(settings.backend);
  out.compiler = settings.compiler.empty() ? usual.compiler : settings.compiler;
  out.architectures = *architectures;
  if (!by_flags) out.architecture_flags = architecture_flags(settings.backend, *architectures);
  out.flags = settings.flags.empty() ? usual.flags : settings.flags;
  out.library_defines = libraries->defines;
  out.library_links = links_of(libraries->links, settings.backend, settings.library_folder);
  return out;
}

Texts plugin_arguments(const GpuToolchain& toolchain, const std::string& source, const std::string& context,
                       const std::string& output) {
  Texts out = toolchain.flags;
  append(out, toolchain.architecture_flags);
  append(out, toolchain.report_flags);
  append(out, toolchain.plugin_flags);
  append(out, toolchain.library_defines);
  append(out, {"-include", context, "-o", output, source});
  append(out, toolchain.library_links);
  return out;
}

}  // namespace noctune
