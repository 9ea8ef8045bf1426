// Expressions of a host schedule as C++: whole-number arithmetic on what the entry has at hand.
#pragma once

#include <map>
#include <string>

#include "base/error.hpp"

namespace noctune {

// What each name of an expression is called in the entry: "cells" -> "dom.nx", "n" -> "n", "w" -> "256".
using EntryNames = std::map<std::string, std::string>;

// "ceil(n/256)" becomes "((n + 256 - 1) / 256)"; other quotients are C++'s own. Fails on names that are not
// known and on what has no whole-number form.
Result<std::string> entry_expression(const std::string& expression, const EntryNames& names);

}  // namespace noctune
