// Code templates: "$name" stands for a value; a value of several lines takes over the indentation of its
// line.
#pragma once

#include <map>
#include <string>

namespace noctune::rules {

using TemplateValues = std::map<std::string, std::string>;

// Every $name must have a value. Lines that begin with '#' (pragmas) are never indented; empty values drop a
// line that holds nothing else.
std::string fill_template(const std::string& text, const TemplateValues& values);

}  // namespace noctune::rules
