// When a pattern applies: conditions on features that a machine can check.
//   condition = "any" | term { "|" term }      term = value | "!" value | ">=" number | "<=" number
// Unknown or missing features satisfy nothing but "any".
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/pattern.hpp"

namespace noctune {

// Fails on features nobody has, values they never take, and malformed terms; the error names them.
Result<void> check_condition(const std::string& feature, const std::string& condition);
Result<void> check_conditions(const Pattern& pattern);

// A malformed condition holds nowhere.
bool holds(const std::string& condition, const std::string& value);
bool applies(const Pattern& pattern, const KernelFeatures& features);
// The conditions that do not hold: "loop_depth is 1, not >=2".
std::vector<std::string> unmet(const Pattern& pattern, const KernelFeatures& features);

}  // namespace noctune
