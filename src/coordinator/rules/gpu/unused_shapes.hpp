// Host locals that only described a launch's shape, once the launch says it itself.
#pragma once

#include <string>

namespace noctune::rules::gpu {

// The body of a host function without declarations of dim3 and integers that nothing else names.
std::string without_unused_shapes(std::string body);

}  // namespace noctune::rules::gpu
