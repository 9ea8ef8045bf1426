// glue.cpp of a driver: turns slots into a typed call, assembles structs and says where their members lie.
// Internal to driver_sources().
#pragma once

#include <string>

#include "model/mep_spec.hpp"

namespace noctune {

enum class Which { all, by_value, without_scratch };

// "int n, const double* a, void* scratch"; types alone when `names` is false.
std::string parameter_list(const MepSpec& spec, bool names, Which which = Which::all);
// "int, double*, const void* const*, char*, std::size_t": the parameters of the user's check.
std::string check_types(const MepSpec& spec);

std::string glue_source(const MepSpec& spec);

}  // namespace noctune
