// Gate 1 for GPUs, beside policy.hpp: what a candidate may not do with the CUDA and HIP interfaces. Kernels,
// launches on the given stream, their attributes and copies on it are allowed, and so is inline assembly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/gpu/gpu_libraries.hpp"
#include "evaluator/plugin_binary.hpp"

namespace noctune {

// Why the source is refused, or nothing. What `original`, K(0), does itself is allowed.
std::optional<std::string> gpu_source_objection(const std::string& source, const std::string& original,
                                                const AllowedLibraries& allowed);

// Why the built plugin is refused, or nothing. `waived`: PluginBinary::undefined of K(0).
std::optional<std::string> gpu_binary_objection(const PluginBinary& binary,
                                                const std::vector<std::string>& waived,
                                                const AllowedLibraries& allowed);

// What of the plugin's needs an allowed library explains: to be waived by binary_objection of policy.hpp,
// too.
std::vector<std::string> needs_of_libraries(const PluginBinary& binary, const AllowedLibraries& allowed);

}  // namespace noctune
