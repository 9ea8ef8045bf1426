// What a hotspot's source or spec says of its kernels' parameters, for launches that were recorded without
// names.
#pragma once

#include <string>
#include <vector>

#include "model/capture.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

// Every __global__ function, or every function where there is none.
std::vector<KernelParameters> parameters_in_source(const std::string& source);

// The entry, and the kernels that a sequence launches.
std::vector<KernelParameters> parameters_in_spec(const MepSpec& spec);

}  // namespace noctune
