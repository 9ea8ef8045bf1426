// The files of one MEP's driver and how to compile them. One driver per MEP serves every candidate's plugin.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

// context.hpp for driver and plugins: vector types, the spec's defines, then the user's text; without one
// structs as the spec lists their members and the prototype.
std::string context_header(const MepSpec& spec, const std::string& user_context = {});

// File name -> text, all for one folder: glue, context.hpp, the runtime, and the user's inputs.cpp where the
// spec has data that it makes.
std::map<std::string, std::string> driver_sources(const MepSpec& spec, const std::string& user_context = {},
                                                  const std::string& inputs = {});

// check.cpp as it is compiled, into a plugin like any other: the user's text behind a declaration of
// <entry>_check, so that other parameters do not compile.
std::string check_source(const MepSpec& spec, const std::string& text);

// What the compiler has to be told beside the files.
struct DriverBuild {
  std::string backend = "openmp";
  std::string architecture = {};  // of GPUs: "sm_90", "gfx906"
  std::string libraries = {};  // folder of the toolkit's run-time library, where the loader may not find it
};

// What follows the compiler's name, run in that folder; makes `driver` there. The compiler must be the
// plugins' own, so that both use one OpenMP or GPU runtime. `object`: the compiled runtime. `inputs`: whether
// needs_inputs() of the spec holds.
std::vector<std::string> driver_compile_arguments(const DriverBuild& build, const std::string& object,
                                                  bool inputs = false);
// The same for a driver that loads plugins built with these sanitizers ("address,undefined"): it brings their
// runtime, which must be there first, and is not instrumented itself. Makes `driver-sanitized`. Of openmp
// alone.
std::vector<std::string> sanitized_driver_arguments(const std::string& object, const std::string& sanitizers,
                                                    bool inputs = false);
// The runtime alone, the same for every MEP: makes `driver.o` from the sources in that folder.
std::vector<std::string> runtime_compile_arguments(const DriverBuild& build);

}  // namespace noctune
