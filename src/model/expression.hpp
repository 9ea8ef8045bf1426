// Expressions of a spec: + - * / % and parentheses, min max ceil floor sqrt log2, numbers, names ("n",
// "A.nnz"). Division is real: write floor(n/2) where a whole number is meant.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

using Symbols = std::map<std::string, double>;

// Unknown names, division by zero, roots of negative numbers and results that are not finite are errors.
Result<double> evaluate(const std::string& expression, const Symbols& symbols);
// The same, for a whole number of at most 2^53.
Result<long long> evaluate_integer(const std::string& expression, const Symbols& symbols);
// The names it uses, each once, in order; an error when it cannot be parsed.
Result<std::vector<std::string>> names_in(const std::string& expression);

}  // namespace noctune
