// Recorded arguments whose names and types the recorder did not know: bytes that a declaration turns into
// numbers and elements.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/capture.hpp"

namespace noctune {

// Bytes of one element of a captured type; 1 where it is not known.
long long element_bytes(const std::string& captured_type);

// Gives an argument that is bytes the type of its parameter's declaration ("float const*"); leaves it as it
// is where the type is not known or does not fit.
void declare_argument(CapturedArgument& argument, const std::string& declared,
                      const std::map<std::string, std::string>& aliases = {});

// "arg0": what an argument is called that nobody has named.
std::string unnamed_argument(std::size_t position);

// Names and types the unnamed arguments by the parameters of the kernel in `known`, and cuts buffers to what
// these say is used. Says what did not fit, or nothing.
std::string name_arguments(CapturedLaunch& launch, const std::vector<KernelParameters>& known);

}  // namespace noctune
