// How GPU compilers are called: names, architectures, flags, what makes a plugin (a driver:
// mep/driver_sources.hpp). Data only; who runs them is the builder's affair.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

struct GpuSettings {
  std::string backend;                       // "cuda", "hip"
  std::string compiler;                      // empty: the backend's usual one; DTK's hipcc by its path
  std::vector<std::string> architectures;    // "9.0", "sm_90", "gfx906,gfx926": at least one
  std::vector<std::string> flags;            // empty: the backend's usual ones
  std::vector<std::string> allow_libraries;  // names of gpu_libraries.hpp
  std::string library_folder;  // where plugins find them, if the loader may not; empty = it does
};

// Line information would put paths and line numbers into the device code, so that the same code in another
// folder, or below one more comment, would no longer be known as a duplicate.
struct GpuToolchain {
  std::string backend, compiler;
  std::string suffix;                           // of sources: ".cu", ".hip"
  std::vector<std::string> architectures;       // "sm_90", "gfx906"
  std::vector<std::string> architecture_flags;  // none where `flags` name architectures themselves
  std::vector<std::string> flags;               // the same for K(0) and candidates
  std::vector<std::string> report_flags;        // make the compiler print resources
  std::vector<std::string> profile_flags;       // for profilers that show lines; not for candidates
  std::vector<std::string> plugin_flags;        // a shared object
  std::vector<std::string> library_defines;     // of the libraries allowed, before the source
  std::vector<std::string> library_links;       // behind the source: only what a plugin uses is loaded
};

Result<GpuToolchain> gpu_toolchain(const GpuSettings& settings);

// The architectures in texts like "gfx906,gfx926" or "9.0", as the compiler calls them, each once.
Result<std::vector<std::string>> architecture_list(const std::string& backend,
                                                   const std::vector<std::string>& texts);
std::vector<std::string> architecture_flags(const std::string& backend,
                                            const std::vector<std::string>& architectures);

// Everything behind the compiler's name, for a source and a header that goes before it.
std::vector<std::string> plugin_arguments(const GpuToolchain& toolchain, const std::string& source,
                                          const std::string& context, const std::string& output);

}  // namespace noctune
