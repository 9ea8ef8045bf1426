// What a source's loops look like, through the rules' reader: the features that do not depend on the device.
#pragma once

#include <string>

#include "coordinator/rules/program.hpp"

namespace noctune {

struct KernelShape {
  bool whole = false;  // every statement was understood, so what was not found is not there
  int loop_depth = 0;  // 0: unknown, or no loops
  bool reduction = false, stencil = false, indirect = false, branches = false, calls_math = false,
       transposed = false;
};

// Of a parsed program; helpers are inlined where the rules can do that.
KernelShape shape_of(rules::Program program);

// The source with its pragmas blanked, since the rules leave functions with directives alone.
std::string without_pragmas(std::string source);
// Whether an OpenMP directive of the source starts or shares work, or a kernel is launched.
bool starts_threads(const std::string& source);

}  // namespace noctune
